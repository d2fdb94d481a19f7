#pragma once
// A run's outcome, put into a result beside those of other runs.

#include "bench/result.hpp"
#include "bench/runner.hpp"

#include <vector>

namespace bench {

/// `compared` are the pairs of its cells. Their noise floor goes into its plan, and what they make doubtful into the warnings.
void append(result& to, run_outcome outcome, const std::vector<comparison>& compared);

}  // namespace bench
