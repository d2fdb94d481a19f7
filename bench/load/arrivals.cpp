#include "bench/load/arrivals.hpp"

#include <cassert>
#include <cmath>

namespace bench::load {

arrivals::arrivals(spacing how, double rate, std::uint64_t seed)
    : how_(how), gap_ns_(1e9 / rate), random_(seed) {
  assert(rate > 0);
}

std::int64_t arrivals::take() {
  const std::lock_guard lock(mutex_);
  return next();
}

std::uint64_t arrivals::take_all_before(std::int64_t end_ns) {
  const std::lock_guard lock(mutex_);
  std::uint64_t left = 0;
  while (next() < end_ns) ++left;
  return left;
}

std::int64_t arrivals::next() {
  if (how_ == spacing::fixed) {
    offset_ns_ = static_cast<double>(taken_) * gap_ns_;  // a product, so that no rounding adds up
  } else {
    const double uniform = static_cast<double>(random_.next() >> 11) * 0x1p-53;  // in [0, 1)
    offset_ns_ -= std::log1p(-uniform) * gap_ns_;
  }
  ++taken_;
  return begin_ns_ + static_cast<std::int64_t>(offset_ns_);
}

}  // namespace bench::load
