#pragma once
// What a ladder's rounds say: comparisons, attributions and warnings, put into its result op by op.

#include "bench/attribution.hpp"
#include "bench/result.hpp"
#include "bench/runner.hpp"

namespace tools {

/// What an attribution needs besides the cells, of the clock and the plan; the server tells nothing.
bench::attribution_facts facts_without_server(const bench::result& measured);

/// Judges the op's cells by the delta of the result's plan and appends all there is.
void append_op(bench::result& to, bench::run_outcome outcome, const bench::attribution_facts& facts);

/// Every attribution closed, and every driver's overhead known.
bool is_conclusive(const bench::result& measured);

}  // namespace tools
