#pragma once
// What the rounds of an op say against themselves.

#include "bench/result.hpp"

#include <vector>

namespace bench {

/// Warnings about rounds in two modes, counts that vary, a peer that stood still, rounds over their limits (flag_rounds() comes first), levels that
/// drift or step, unbalanced positions and too few rows. Rounds are never dropped for it: that would bias the result.
std::vector<warning> findings(const std::vector<cell>& cells, const op_plan& plan, int cpu);

/// The same about the comparisons of that op: rows that hang together.
std::vector<warning> findings(const std::vector<comparison>& pairs, const op_plan& plan);

}  // namespace bench
