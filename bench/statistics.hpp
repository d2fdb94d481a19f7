#pragma once
// Order statistics of rounds: pure functions on numbers, no clock, no cells.
//
// The sample is a round, never a single op: ops in a round are correlated, and their number makes any
// nonsense "significant". Two cells are compared by pairs of rounds of one row, which saw the same weather:
//
//   d[r] = ln(b[r] / a[r])          ratio b/a = exp(median d)
//   interval = [d_(k), d_(n-k+1)]   d_(i) the sorted d, counted from 1
//   k = largest integer >= 1 with P(Bin(n, 1/2) <= k-1) <= alpha / (2m)
//
// Whatever the shape of the distribution, each d lies below its median with probability 1/2, so the number of
// d below it is Bin(n, 1/2) and the interval covers the median with probability 1 - 2 P(Bin(n, 1/2) <= k-1).
// No normality, no symmetry, no seed (measurement method, part 4, has the alternatives and why not). m is the
// number of comparisons that are judged together (Bonferroni).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bench {

/// Error of the intervals that are printed: single 95 %.
inline constexpr double alpha = 0.05;

/// The middle value, or the mean of the two middle ones. `values` must not be empty.
double median(std::span<const double> values);

/// `values` must not be empty.
double mean(std::span<const double> values);

/// Of the sample, with n - 1. At least two values.
double variance(std::span<const double> values);

/// The rank k above for n values; empty when n is below rows_needed(m), where no interval exists.
std::optional<std::size_t> sign_rank(std::size_t n, std::size_t m = 1);

/// Achieved coverage of the interval of ranks k and n-k+1.
double sign_coverage(std::size_t n, std::size_t k);

/// Fewest values that have an interval: ceil(log2(2m / alpha)).
std::size_t rows_needed(std::size_t m = 1);

struct interval {
  double lo;
  double hi;
  double coverage;  ///< achieved, at least 1 - alpha/m
};

/// A median with its sign interval. The interval is empty for too few values.
struct estimate {
  double value = 0;
  std::optional<interval> range;
};

/// Empty for no values.
std::optional<estimate> estimate_median(std::span<const double> values, std::size_t m = 1);

/// ln(b/a) row by row. All values must be above 0, here and below; the spans have equal sizes.
std::vector<double> log_ratios(std::span<const double> a, std::span<const double> b);

/// b - a row by row.
std::vector<double> differences(std::span<const double> a, std::span<const double> b);

/// (b - a) / floor row by row: an overhead in units that travel between machines.
std::vector<double> floor_units(std::span<const double> a, std::span<const double> b,
                                std::span<const double> floor);

/// The medians of runs of equal `sets` entries, in order. Two connections differ by some 0.2 % in themselves,
/// which a tight interval over rows finds; over medians of connection sets it is part of the noise.
std::vector<double> set_medians(std::span<const double> values, std::span<const std::uint64_t> sets);

/// How many independent values `values` are worth when those of one set hang together: by batch means with the sets as
/// batches, n s^2 / (b s_b^2), at most n (measurement method, part 6). With fewer than two sets: n.
double effective_size(std::span<const double> values, std::span<const std::uint64_t> sets);

/// The same when neighbours hang together over nobody knows how long: the least over batches of 1, 2, 4, ... values while
/// eight batches remain.
double effective_size(std::span<const double> values);

/// Nearest rank of a percentile among n >= 1 values, counted from 1: max(1, ceil(p * n)), with p in parts per million so
/// that it is integer arithmetic (in binary floating point 0.07 * 100 is above 7).
std::uint64_t rank_of(std::uint64_t n, std::uint32_t p_ppm);

/// The value of that rank. `sorted` ascends; empty for no values.
std::optional<std::int64_t> nearest_rank(std::span<const std::int64_t> sorted, std::uint32_t p_ppm);

/// Values in two clusters: on a machine that flips between two states a median describes neither.
struct modes {
  double lower = 0;        ///< median of the lower group
  double upper = 0;        ///< median of the upper group
  double upper_share = 0;  ///< part of the values in the upper group
};

/// Splits the sorted logarithms where the sum of squares between the groups is largest; two modes when that sum is above
/// 0.9 of the total, the medians differ by more than 1.3 (starting values of the measurement method, part 1) and each group
/// holds two values and a tenth of all: two disturbed rounds among fifty are outliers, which a median does not feel.
std::optional<modes> two_modes(std::span<const double> values);

}  // namespace bench
