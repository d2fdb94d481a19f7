#pragma once
// What makes the source of each strategy; make_source() chooses by name.

#include "wire/strategy/source.hpp"

namespace wire {

std::unique_ptr<source> make_fresh_source(payload from, const source_options& options);
std::unique_ptr<source> make_gather_source(payload from, const source_options& options);
std::unique_ptr<source> make_mmap_source(payload from, const source_options& options);
std::unique_ptr<source> make_pool_source(payload from, const source_options& options);
std::unique_ptr<source> make_reuse_source(payload from, const source_options& options);
std::unique_ptr<source> make_sendfile_source(payload from, const source_options& options);
std::unique_ptr<source> make_splice_source(payload from, const source_options& options);
std::unique_ptr<source> make_uring_source(payload from, const source_options& options);
std::unique_ptr<source> make_zerocopy_source(payload from, const source_options& options);

/// As source_strategy::refusal.
std::string uring_refusal();

}  // namespace wire
