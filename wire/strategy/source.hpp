#pragma once
// Where an upload's chunks come from, by strategies that are chosen by name. The README of this folder shows how to add one.
//
//   auto made = wire::make_source("mmap", wire::file_path{"/data/film.mkv"});
//   if (!made.source) ... made.problem ...
//   framing upload(*made.source, ...);            // an exchange
//   const auto result = wire::transfer(channel, upload, *made.source);

#include "codecs/chunks.hpp"

#include "wire/strategy/payload.hpp"
#include "wire/strategy/sender.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace wire {

/// Chunks are consecutive pieces of a payload. A strategy says where the bytes of each one are.
class source : public codecs::chunk_source, public pipeline_end {
 public:
  explicit source(payload from) : payload_(std::move(from)) {}

  std::int64_t size() const final { return payload_.size(); }
  codecs::bytes_view take(std::size_t size) final;
  bool intact() final;

  /// From the first byte once more, for the next upload of the same payload; buffers and mappings stay. Chunks that the last one
  /// has not released count as released.
  void rewind();

  /// Who sends its chunks; null: the channel, as it sends all else.
  virtual wire::sender* sender() { return nullptr; }

  const std::string& why() const final { return why_; }

 protected:
  /// The `size` bytes (at least 1) from `offset` on; empty after fail().
  virtual codecs::bytes_view chunk(std::int64_t offset, std::size_t size) = 0;

  /// No chunk is in flight, and the next one begins at 0.
  virtual void rewound() {}

  // For chunk(): these are what take() answers when it has nothing.
  codecs::bytes_view fail(std::string why);
  codecs::bytes_view fail_of_payload() { return fail(payload_.why()); }

  payload payload_;

 private:
  std::int64_t offset_ = 0;
  std::string why_;
};

struct source_options {
  std::size_t buffers =
      16;  ///< of `pool` and `uring`, and of `zerocopy` from a file: how many chunks may be in flight
  /// Of `mmap`: how much of what the peer has may stay mapped. A file that fits is mapped, and its pages are found, once for all
  /// uploads by the same source.
  std::int64_t mapped_bytes = 4 * 1024 * 1024;
};

/// One strategy by its name.
struct source_strategy {
  enum class kind { any, memory, file };

  std::string_view name;
  std::string_view summary;  ///< for help texts: one clause
  kind needs;                ///< which owners it can serve
  std::unique_ptr<source> (*make)(payload from, const source_options& options);
  std::string (*refusal)() = nullptr;  ///< why it cannot be had on this system, as a clause; empty: it can
};

/// All of them.
std::span<const source_strategy> source_strategies();

struct made_source {
  std::unique_ptr<wire::source> source;  ///< null on error
  std::string problem;                   ///< a sentence that says how to mend it
};

/// A payload that cannot be opened, a name that no strategy has and a strategy that cannot serve this owner are problems.
made_source make_source(std::string_view name, const owner& from, const source_options& options = {});

}  // namespace wire
