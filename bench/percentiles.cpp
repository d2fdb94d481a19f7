#include "bench/percentiles.hpp"

#include "bench/statistics.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace bench {
namespace {

constexpr std::uint64_t million = 1'000'000;
constexpr std::uint64_t fewest_above = 10;

}  // namespace

std::optional<rank_range> percentile_ranks(std::uint64_t n, std::uint32_t p_ppm) {
  assert(p_ppm < million);
  if (n == 0 || p_ppm == 0) return std::nullopt;
  const boost::math::binomial below(static_cast<double>(n), static_cast<double>(p_ppm) / million);
  // P(Bin(n, p) <= rank - 1): that the true percentile lies below the value of this rank.
  const auto passed = [&](std::uint64_t rank) {
    return boost::math::cdf(below, static_cast<double>(rank - 1));
  };

  // Found by halving on the definition itself, within six deviations of the middle; quantile() would add a rounding of its own.
  const double middle = static_cast<double>(n) * p_ppm / million;
  const double reach = 6 * std::sqrt(middle) + 10;
  const auto first = static_cast<std::uint64_t>(std::max(1.0, middle - reach));
  const auto last = static_cast<std::uint64_t>(std::min(static_cast<double>(n), middle + reach));

  // Smallest rank in first..last for which passed() is at least `level` (above it, with `beyond`); last + 1 for none.
  const auto smallest = [&](auto reached) {
    std::uint64_t from = first, to = last + 1;
    while (from < to) {
      const auto half = from + (to - from) / 2;
      if (reached(passed(half))) {
        to = half;
      } else {
        from = half + 1;
      }
    }
    return from;
  };
  const auto lower = smallest([](double p) { return p > alpha / 2; }) - 1;
  const auto upper = smallest([](double p) { return p >= 1 - alpha / 2; });
  if (lower < first || upper > last) return std::nullopt;
  return rank_range{.lower = lower, .upper = upper, .coverage = passed(upper) - passed(lower)};
}

std::uint64_t ops_missing(std::uint64_t n, std::uint32_t p_ppm) {
  assert(p_ppm < million);
  const std::uint64_t above = million - p_ppm;
  const std::uint64_t needed = (fewest_above * million + above - 1) / above;
  return needed > n ? needed - n : 0;
}

std::optional<percentile> percentile_of(const histogram& latencies, std::uint32_t p_ppm) {
  const auto n = latencies.count();
  const auto value = latencies.percentile(p_ppm);
  if (!value) return std::nullopt;
  percentile found{.p_ppm = p_ppm, .value = *value};
  if (const auto ranks = percentile_ranks(n, p_ppm)) {
    found.lo = latencies.at_rank(ranks->lower);
    found.hi = latencies.at_rank(ranks->upper);
  }
  found.ops_missing = ops_missing(n, p_ppm);
  return found;
}

}  // namespace bench
