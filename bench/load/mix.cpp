#include "bench/load/mix.hpp"

#include <algorithm>
#include <cassert>

namespace bench::load {

mix::mix(std::span<const std::uint32_t> weights, std::uint64_t seed) : random_(seed) {
  std::uint64_t sum = 0;
  for (const auto weight : weights) ends_.push_back(sum += weight);
  assert(sum > 0 && sum <= UINT32_MAX);
}

std::size_t mix::draw() {
  // The upper 32 bits times the sum, shifted back: uniform to within 2^-32, and without a division.
  const auto point = (random_.next() >> 32) * ends_.back() >> 32;
  return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), point) - ends_.begin());
}

}  // namespace bench::load
