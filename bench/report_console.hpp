#pragma once
// A result for a terminal, at most 110 columns wide, in the order of the measurement method, part 16.

#include "bench/result.hpp"

#include <string>

namespace bench {

/// Everything: the warnings about the whole run, then op after op.
std::string report_console(const result& measured, bool colour);

/// One op: header, its warnings, the table of cells, the table of comparisons, unequal work, limiter,
/// summary.
std::string report_op(const result& measured, const op_plan& op, bool colour);

}  // namespace bench
