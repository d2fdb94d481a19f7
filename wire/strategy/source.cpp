#include "wire/strategy/source.hpp"

#include "wire/strategy/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace wire {

using kind = source_strategy::kind;

constexpr source_strategy strategies[] = {
    {"gather", "borrowed from the caller's memory", kind::memory, make_gather_source},
    {"mmap", "borrowed from a mapped file", kind::file, make_mmap_source},
    {"sendfile", "sent by the kernel from the file, never mapped or read", kind::file, make_sendfile_source},
    {"splice", "moved by the kernel from the file through a pipe", kind::file, make_splice_source},
    {"zerocopy", "sent from where it is by MSG_ZEROCOPY, over TCP alone", kind::any, make_zerocopy_source},
    {"uring", "registered buffers, sent by io_uring", kind::any, make_uring_source, uring_refusal},
    {"fresh", "a new buffer for each chunk", kind::any, make_fresh_source},
    {"reuse", "one buffer, and so one chunk in flight", kind::any, make_reuse_source},
    {"pool", "a fixed number of buffers", kind::any, make_pool_source},
};

std::span<const source_strategy> source_strategies() {
  return strategies;
}

codecs::bytes_view source::take(std::size_t size) {
  assert(size != 0 && static_cast<std::int64_t>(size) <= payload_.size() - offset_);
  const auto taken = chunk(offset_, size);
  offset_ += static_cast<std::int64_t>(taken.size());
  counters_.payload_bytes += static_cast<std::int64_t>(taken.size());
  return taken;
}

void source::rewind() {
  offset_ = 0;
  rewound();
}

bool source::intact() {
  if (payload_.intact(counters_)) return true;
  why_ = payload_.why();
  return false;
}

codecs::bytes_view source::fail(std::string why) {
  why_ = std::move(why);
  return {};
}

namespace {

std::string unknown(std::string_view name) {
  std::string names;
  for (const auto& strategy : strategies) names.append(names.empty() ? "" : ", ").append(strategy.name);
  return fmt::format("no strategy is called '{}': there are {}", name, names);
}

std::string misplaced(const source_strategy& strategy) {
  return strategy.needs == kind::file
             ? fmt::format("{} needs a file, and the payload is in memory: gather sends that without a copy",
                           strategy.name)
             : fmt::format(
                   "{} needs a payload in memory, and it is in a file: mmap sends that without a copy",
                   strategy.name);
}

}  // namespace

made_source make_source(std::string_view name, const owner& from, const source_options& options) {
  const auto* const strategy = std::ranges::find(strategies, name, &source_strategy::name);
  if (strategy == std::end(strategies)) return {nullptr, unknown(name)};
  if (options.buffers == 0) return {nullptr, "a pool needs at least one buffer"};
  if (options.mapped_bytes <= 0) return {nullptr, "a mapping needs at least one byte"};
  if (strategy->refusal != nullptr) {
    if (auto why = strategy->refusal(); !why.empty()) return {nullptr, fmt::format("{}: {}", name, why)};
  }
  payload opened;
  if (!opened.open(from)) return {nullptr, opened.why()};
  const bool suits = strategy->needs == kind::any || (strategy->needs == kind::memory) == opened.in_memory();
  if (!suits) return {nullptr, misplaced(*strategy)};
  return {strategy->make(std::move(opened), options), {}};
}

}  // namespace wire
