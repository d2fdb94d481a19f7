#pragma once
// Comparison of stored results, where no live paired run is possible (measurement method, part 5). The two sides saw
// different weather, so the rules are harsher than those of paired rounds: no common shape is assumed, and a verdict needs
// two witnesses, the rank test and the interval, because U can be significant between equal medians.
//
//   ratio b/a = median_b / median_a       bounds = [lo_b / hi_a, hi_b / lo_a]
//
// lo and hi are the sign intervals (statistics.hpp) of each median at error alpha/(2m), so both hold together, in all m rows,
// with the probability 1 - alpha.

#include "bench/mann_whitney.hpp"
#include "bench/statistics.hpp"
#include "bench/verdict.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace bench {

/// One row of the table. The values are times, above 0: per-process medians where there are enough, else round times. They
/// are only looked at during the call.
struct two_samples {
  std::span<const double> a;
  std::span<const double> b;
  std::optional<double>
      aa_floor;  ///< ln ratio: the larger one of the two results. Empty where neither has one
};

struct unpaired {
  estimate a;  ///< medians with single 95 % intervals
  estimate b;
  double ratio = 1;                ///< of the medians
  std::optional<interval> bounds;  ///< of the ratio, at the corrected level
  mann_whitney test;
  double p = 1;                    ///< of the test, corrected by Holm for all rows
  std::size_t samples_needed = 0;  ///< a side, for any verdict in a table of this length
  bool too_few = false;            ///< a side has fewer than samples_needed
  bool bimodal = false;            ///< the values of a side have two modes
  verdict says = verdict::inconclusive;
};

/// Advised number of values a side: below it the sign interval is the full range.
inline constexpr std::size_t samples_advised = 9;

/// All rows that are judged together, m = rows.size(). Empty where a side is empty. Verdicts as judge() gives them, but
/// faster and slower only if the corrected p is at most alpha too; a row without A/A floor is judged by its interval alone.
std::vector<std::optional<unpaired>> compare_unpaired(std::span<const two_samples> rows, double delta);

/// Fewest values a side that can lead to a verdict in a table of m rows: smallest_p at most alpha/m, and an interval.
std::size_t unpaired_samples_needed(std::size_t m);

}  // namespace bench
