#pragma once
// The figures of a ministat block: FreeBSD's comparison of two samples by Student's t with pooled variance, which many
// readers know by sight. It assumes normal values of equal spread, so it decides nothing here; verdicts are unpaired.hpp's.
// Two figures follow the statistics books rather than ministat of 2015, which Debian has: the median of an even number of
// values is the mean of the middle two, and t above 100 degrees of freedom is not that of infinitely many.

#include <cstddef>
#include <optional>
#include <span>

namespace bench {

struct ministat_line {
  std::size_t n = 0;
  double min = 0;
  double max = 0;
  double median = 0;
  double average = 0;
  double stddev = 0;  ///< of the sample, with n - 1
};

struct ministat {
  ministat_line a;
  ministat_line b;
  double difference = 0;  ///< average of b - average of a
  double plus_minus = 0;  ///< half-width at 95 %
  double pooled_stddev = 0;
  std::optional<double> percent;  ///< difference and half-width of average a; empty when that is 0
  std::optional<double> plus_minus_percent;
  bool proven = false;  ///< |difference| > plus_minus; else "no difference proven"
};

/// Empty when a side has fewer than three values, as ministat refuses them.
std::optional<ministat> compare_as_ministat(std::span<const double> a, std::span<const double> b);

}  // namespace bench
