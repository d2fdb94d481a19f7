#include "bench/statistics.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace bench {
namespace {

/// P(Bin(n, 1/2) <= at_most).
double lower_tail(std::size_t n, std::size_t at_most) {
  return boost::math::cdf(boost::math::binomial(static_cast<double>(n), 0.5), static_cast<double>(at_most));
}

double median_of_sorted(std::span<const double> sorted) {
  const auto middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

double median(std::span<const double> values) {
  assert(!values.empty());
  std::vector<double> copy(values.begin(), values.end());
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  return copy.size() % 2 == 1 ? *middle : (*std::max_element(copy.begin(), middle) + *middle) / 2;
}

double mean(std::span<const double> values) {
  assert(!values.empty());
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance(std::span<const double> values) {
  assert(values.size() >= 2);
  const double middle = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - middle) * (value - middle);
  return sum / static_cast<double>(values.size() - 1);
}

std::optional<std::size_t> sign_rank(std::size_t n, std::size_t m) {
  if (n < rows_needed(m)) return std::nullopt;
  const double tail = alpha / (2 * static_cast<double>(m));
  std::size_t k = n / 2;  // from the middle outwards: about sqrt(n) steps
  while (lower_tail(n, k - 1) > tail) --k;
  return k;
}

double sign_coverage(std::size_t n, std::size_t k) {
  return 1 - 2 * lower_tail(n, k - 1);
}

std::size_t rows_needed(std::size_t m) {
  return static_cast<std::size_t>(std::ceil(std::log2(2 * static_cast<double>(m) / alpha)));
}

std::optional<estimate> estimate_median(std::span<const double> values, std::size_t m) {
  if (values.empty()) return std::nullopt;
  const auto sorted = sorted_copy(values);
  estimate of{.value = median_of_sorted(sorted), .range = std::nullopt};
  if (const auto k = sign_rank(sorted.size(), m)) {
    of.range = interval{sorted[*k - 1], sorted[sorted.size() - *k], sign_coverage(sorted.size(), *k)};
  }
  return of;
}

std::vector<double> log_ratios(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  std::vector<double> d(a.size());
  std::transform(a.begin(), a.end(), b.begin(), d.begin(),
                 [](double of_a, double of_b) { return std::log(of_b / of_a); });
  return d;
}

std::vector<double> differences(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  std::vector<double> d(a.size());
  std::transform(a.begin(), a.end(), b.begin(), d.begin(),
                 [](double of_a, double of_b) { return of_b - of_a; });
  return d;
}

std::vector<double> floor_units(std::span<const double> a, std::span<const double> b,
                                std::span<const double> floor) {
  assert(a.size() == floor.size());
  auto units = differences(a, b);
  std::transform(units.begin(), units.end(), floor.begin(), units.begin(), std::divides<>());
  return units;
}

namespace {

/// The runs of equal `sets` entries, as views of `values`. A last set that the end of the run has cut to less than half of
/// the longest is left out: its median would weigh as much as any other.
std::vector<std::span<const double>> whole_sets(std::span<const double> values,
                                                std::span<const std::uint64_t> sets) {
  assert(values.size() == sets.size());
  std::vector<std::span<const double>> runs;
  std::size_t longest = 0;
  for (std::size_t first = 0, next; first < values.size(); first = next) {
    next = first + 1;
    while (next < values.size() && sets[next] == sets[first]) ++next;
    runs.push_back(values.subspan(first, next - first));
    longest = std::max(longest, next - first);
  }
  if (!runs.empty() && 2 * runs.back().size() < longest) runs.pop_back();
  return runs;
}

}  // namespace

std::vector<double> set_medians(std::span<const double> values, std::span<const std::uint64_t> sets) {
  std::vector<double> medians;
  for (const auto run : whole_sets(values, sets)) medians.push_back(median(run));
  return medians;
}

namespace {

/// What n values of this variance are worth, whose means over batches of `batch` have the variance `between`.
double worth(double n, double variance, double batch, double between) {
  return between > 0 ? std::min(n, n * variance / (batch * between)) : n;
}

}  // namespace

double effective_size(std::span<const double> values, std::span<const std::uint64_t> sets) {
  const auto n = static_cast<double>(values.size());
  std::vector<double> means;
  std::size_t covered = 0;
  for (const auto run : whole_sets(values, sets)) {
    means.push_back(mean(run));
    covered += run.size();
  }
  if (means.size() < 2) return n;
  return worth(n, variance(values), static_cast<double>(covered) / static_cast<double>(means.size()),
               variance(means));
}

double effective_size(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  double least = n;
  for (std::size_t batch = 2; 8 * batch <= values.size(); batch *= 2) {
    std::vector<double> means;
    for (std::size_t first = 0; first + batch <= values.size(); first += batch) {
      means.push_back(mean(values.subspan(first, batch)));
    }
    least = std::min(least, worth(n, variance(values), static_cast<double>(batch), variance(means)));
  }
  return least;
}

std::uint64_t rank_of(std::uint64_t n, std::uint32_t p_ppm) {
  constexpr std::uint64_t million = 1'000'000;
  return std::max<std::uint64_t>((n * p_ppm + million - 1) / million, 1);
}

std::optional<std::int64_t> nearest_rank(std::span<const std::int64_t> sorted, std::uint32_t p_ppm) {
  if (sorted.empty()) return std::nullopt;
  return sorted[rank_of(sorted.size(), p_ppm) - 1];
}

std::optional<modes> two_modes(std::span<const double> values) {
  if (values.size() < 4) return std::nullopt;
  const auto sorted = sorted_copy(values);
  std::vector<double> logs(sorted.size());
  std::transform(sorted.begin(), sorted.end(), logs.begin(), [](double value) { return std::log(value); });

  const auto n = static_cast<double>(logs.size());
  const double middle = mean(logs);
  double total = 0;
  for (const double value : logs) total += (value - middle) * (value - middle);

  // With the first i logs summing to s, the sum of squares between the groups is (s - i middle)^2 n / (i (n - i)).
  double best = 0, s = logs[0];
  std::size_t split = 0;
  const auto fewest = std::max<std::size_t>(2, logs.size() / 10);
  for (std::size_t i = 2; i + fewest <= logs.size(); ++i) {
    s += logs[i - 1];
    if (i < fewest) continue;
    const auto below = static_cast<double>(i);
    const double off = s - below * middle;
    const double between = off * off * n / (below * (n - below));
    if (between > best) best = between, split = i;
  }
  if (split == 0 || best <= 0.9 * total) return std::nullopt;

  const std::span<const double> all(sorted);
  const modes found{.lower = median_of_sorted(all.first(split)),
                    .upper = median_of_sorted(all.subspan(split)),
                    .upper_share = (n - static_cast<double>(split)) / n};
  return found.upper > 1.3 * found.lower ? std::optional(found) : std::nullopt;
}

}  // namespace bench
