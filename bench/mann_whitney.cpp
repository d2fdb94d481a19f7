#include "bench/mann_whitney.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace bench {
namespace {

constexpr std::size_t largest_exact = 20;

/// Arrangements of n1 + n2 values by their U, which is at index 0..n1 n2: the coefficients of the Gaussian binomial
/// product over i = 1..n1 of (1 - q^(n2+i)) / (1 - q^i). Below 2^38 for 20 + 20.
std::vector<std::int64_t> arrangements(std::size_t n1, std::size_t n2) {
  std::vector<std::int64_t> of_u(n1 * n2 + 1);
  of_u[0] = 1;
  for (std::size_t i = 1; i <= n1; ++i) {
    for (std::size_t u = of_u.size(); u-- > n2 + i;) of_u[u] -= of_u[u - n2 - i];  // times 1 - q^(n2+i)
    for (std::size_t u = i; u < of_u.size(); ++u) of_u[u] += of_u[u - i];          // divided by 1 - q^i
  }
  return of_u;
}

double exact_p(std::size_t n1, std::size_t n2, double u) {
  const auto of_u = arrangements(n1, n2);
  const auto farther = static_cast<std::size_t>(std::max(u, static_cast<double>(n1 * n2) - u));
  const auto beyond = std::accumulate(of_u.begin() + static_cast<std::ptrdiff_t>(farther), of_u.end(), 0.0);
  return std::min(1.0, 2 * beyond / std::accumulate(of_u.begin(), of_u.end(), 0.0));
}

/// `ties` is the sum of t^3 - t.
double normal_p(double n1, double n2, double u, double ties) {
  const double n = n1 + n2;
  const double variance = n1 * n2 / 12 * ((n + 1) - ties / (n * (n - 1)));
  if (variance <= 0) return 1;  // all values are equal
  const double z = (std::abs(u - n1 * n2 / 2) - 0.5) / std::sqrt(variance);
  return std::min(1.0, 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), z)));
}

}  // namespace

mann_whitney mann_whitney_test(std::span<const double> a, std::span<const double> b) {
  assert(!a.empty() && !b.empty());
  struct ranked {
    double value;
    bool of_b;
  };
  std::vector<ranked> pool;
  for (const double value : a) pool.push_back({value, false});
  for (const double value : b) pool.push_back({value, true});
  std::sort(pool.begin(), pool.end(),
            [](const ranked& left, const ranked& right) { return left.value < right.value; });

  double u = 0, a_below = 0, ties = 0;
  for (std::size_t first = 0, next = 0; first < pool.size(); first = next) {
    double of_a = 0, of_b = 0;
    for (; next < pool.size() && pool[next].value == pool[first].value; ++next) {
      (pool[next].of_b ? of_b : of_a) += 1;
    }
    u += of_b * (a_below + of_a / 2);
    a_below += of_a;
    const double equal = of_a + of_b;
    ties += equal * equal * equal - equal;
  }

  const bool exact = ties == 0 && a.size() <= largest_exact && b.size() <= largest_exact;
  const double p = exact ? exact_p(a.size(), b.size(), u)
                         : normal_p(static_cast<double>(a.size()), static_cast<double>(b.size()), u, ties);
  return {.u = u, .p = p, .exact = exact};
}

double smallest_p(std::size_t n1, std::size_t n2) {
  // By logarithms: C(2000, 1000) is beyond double.
  const auto log_factorial = [](std::size_t n) { return std::lgamma(static_cast<double>(n) + 1); };
  const double log_arrangements = log_factorial(n1 + n2) - log_factorial(n1) - log_factorial(n2);
  return std::min(1.0, 2 * std::exp(-log_arrangements));
}

std::size_t samples_for(double level) {
  assert(level > 0);
  std::size_t n = 1;
  while (smallest_p(n, n) > level) ++n;
  return n;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t left, std::size_t right) { return p[left] < p[right]; });

  std::vector<double> corrected(p.size());
  double so_far = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto left = static_cast<double>(order.size() - i);
    so_far = std::max(so_far, std::min(1.0, left * p[order[i]]));
    corrected[order[i]] = so_far;
  }
  return corrected;
}

}  // namespace bench
