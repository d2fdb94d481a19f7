#include "bench/load/arrivals.hpp"

#include <algorithm>
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

std::uint64_t arrivals::take_all_between(std::int64_t from_ns, std::int64_t end_ns) {
  const std::lock_guard lock(mutex_);
  return how_ == spacing::fixed ? take_fixed(from_ns, end_ns) : take_poisson(from_ns, end_ns);
}

/// How many there are before `at_ns`, taken or not: the first number whose arrival is not.
std::uint64_t arrivals::fixed_before(std::int64_t at_ns) const {
  const auto offset_ns = static_cast<double>(at_ns - begin_ns_);
  if (offset_ns <= 0) return 0;
  auto number = static_cast<std::uint64_t>(std::ceil(offset_ns / gap_ns_));
  while (number > 0 && static_cast<double>(number - 1) * gap_ns_ >= offset_ns) --number;  // the quotient was
  while (static_cast<double>(number) * gap_ns_ < offset_ns) ++number;                     // rounded
  return number;
}

std::uint64_t arrivals::take_fixed(std::int64_t from_ns, std::int64_t end_ns) {
  const auto first = std::max(taken_, fixed_before(from_ns));
  taken_ = std::max(taken_, fixed_before(end_ns));
  return taken_ - std::min(first, taken_);
}

std::uint64_t arrivals::take_poisson(std::int64_t from_ns, std::int64_t end_ns) {
  std::uint64_t left = 0;
  for (int walked = 0; walked < 1'000'000; ++walked) {
    const auto at_ns = next();
    if (at_ns >= end_ns) return left;
    if (at_ns >= from_ns) ++left;
  }
  // Exponential gaps have no memory: what is to come goes by the time that is left, wherever the last arrival was.
  const auto counted_ns = std::max(offset_ns_, static_cast<double>(from_ns - begin_ns_));
  offset_ns_ = static_cast<double>(end_ns - begin_ns_);
  return left + static_cast<std::uint64_t>(std::max(0.0, offset_ns_ - counted_ns) / gap_ns_);
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
