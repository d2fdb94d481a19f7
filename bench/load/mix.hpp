#pragma once
// Which op of a weighted mix comes next.

#include "fixtures/datasets.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace bench::load {

/// Draws indices in proportion to their weights. Same seed, same order, on every machine. One per connection: not
/// thread-safe.
class mix {
 public:
  /// At least one weight; each is above 0, and their sum fits 32 bits.
  mix(std::span<const std::uint32_t> weights, std::uint64_t seed);

  std::size_t next() { return ends_.size() == 1 ? 0 : draw(); }

 private:
  std::size_t draw();

  std::vector<std::uint64_t> ends_;  // running sums of the weights
  fixtures::random_source random_;
};

}  // namespace bench::load
