#pragma once
// What a process can count about itself while it runs ops. It prints that as lines of name and value, which the process
// that started it reads.

#include "bench/counting/malloc_probe.hpp"
#include "bench/workload.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace bench::counting {

struct self_counts {
  std::uint64_t ops = 0;
  std::optional<std::uint64_t> instructions;  ///< by perf_event; empty where it has no hardware counters
  std::optional<heap_counts> heap;            ///< empty when malloc_probe is not loaded
  std::optional<std::uint64_t> payload_copies_bytes;
  std::optional<std::int64_t> rss_peak_bytes;  ///< VmHWM: of the process since its start
};

/// Runs `ops` ops and counts; `work` is warmed up.
absl::StatusOr<self_counts> run_counted(workload& work, std::uint64_t ops);

/// "ops 16\nallocations 0\n..."; what is empty has no line.
std::string to_text(const self_counts& counts);
self_counts self_counts_in(std::string_view text);

/// The line VmHWM of /proc/self/status, in bytes.
std::optional<std::int64_t> peak_rss_bytes_in(std::string_view status);

/// Any line of it that tells a size ("RssAnon:"), in bytes.
std::optional<std::int64_t> status_bytes_in(std::string_view status, std::string_view label);

}  // namespace bench::counting
