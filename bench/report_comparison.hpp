#pragma once
// A comparison of stored results for a terminal and as JSON.

#include "bench/file_comparison.hpp"

#include <string>
#include <vector>

namespace bench {

/// How a result is called and when it began.
struct named_result {
  std::string name;
  const result* measured;
};

/// One result against the first of the command line.
struct comparison_report {
  named_result a;
  named_result b;
  file_comparison found;
};

/// Warnings, the table that leads, the other one, counts that changed, and cells that only one file holds.
std::string report_comparison(const comparison_report& of, bool colour);

/// One line of strict JSON with a newline; absent values null. `tool` is "wirebench compare": it is no result.
std::string comparison_json(const std::vector<comparison_report>& all);

}  // namespace bench
