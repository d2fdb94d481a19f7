#pragma once
// Truth tests: a known time is put into one side of a measurement, and the method must find it again on that side, as long as
// it was. What it finds is judged against bounds that stand in the issue, not against itself.

#include "bench/verdict.hpp"

#include "tools/self_comparison.hpp"

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tools {

enum class finding {
  right,
  unsure,  ///< the interval reaches into the bound, its middle does not; or there are too few rows for one;
           ///< or no verdict
  wrong,
};

struct truth {
  std::string what;
  std::string put_in;
  std::string found;
  std::string bound;
  finding says = finding::unsure;
};

/// A figure with its interval against what was put in. `noise` is what the same run could not tell from nothing: the interval
/// is judged that much wider.
struct found_figure {
  double value = 0;
  double lo = 0;
  double hi = 0;
  double noise = 0;
};
finding judge(double put_in, const found_figure& found, double bound);

/// A verdict where nothing was put in: `inconclusive` is no proof that there is nothing.
finding judge_nothing(bench::verdict says);

/// Runs all of them on null servers of its own, some 15 s; those that a stop leaves over are missing.
absl::StatusOr<std::vector<truth>> run_truth_tests(const self_comparison& how);

/// One line each, under a heading.
std::string table(const std::vector<truth>& truths);

/// Wrong if one is wrong, else unsure if one is unsure.
finding worst(const std::vector<truth>& truths);

}  // namespace tools
