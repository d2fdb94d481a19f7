#include "bench/ministat.hpp"

#include "bench/statistics.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

ministat_line line_of(std::span<const double> values) {
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  return {.n = values.size(),
          .min = *min,
          .max = *max,
          .median = median(values),
          .average = mean(values),
          .stddev = std::sqrt(variance(values))};
}

}  // namespace

std::optional<ministat> compare_as_ministat(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 3 || b.size() < 3) return std::nullopt;
  ministat block{.a = line_of(a), .b = line_of(b)};
  const auto n_a = static_cast<double>(a.size()), n_b = static_cast<double>(b.size());
  const double freedom = n_a + n_b - 2;
  block.pooled_stddev = std::sqrt(((n_a - 1) * variance(a) + (n_b - 1) * variance(b)) / freedom);
  const double t = boost::math::quantile(boost::math::students_t(freedom), 1 - alpha / 2);
  block.difference = block.b.average - block.a.average;
  block.plus_minus = t * block.pooled_stddev * std::sqrt(1 / n_a + 1 / n_b);
  block.proven = std::abs(block.difference) > block.plus_minus;
  if (block.a.average != 0) {
    block.percent = 100 * block.difference / block.a.average;
    block.plus_minus_percent = 100 * block.plus_minus / block.a.average;
  }
  return block;
}

}  // namespace bench
