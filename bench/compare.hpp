#pragma once
// Comparisons between the cells of one op, from their rounds.

#include "bench/result.hpp"

#include <vector>

namespace bench {

/// Every comparison that the cells allow, in the order of the report: raw against itself, raw against floor,
/// each rung against the one below it, each driver against raw, the real server against the null server, each
/// driver against raw on the real server. All cells are of one op. `delta` is the threshold of the verdicts.
std::vector<comparison> compare(const std::vector<cell>& cells, double delta);

/// Relative half-width of the ratio's interval; empty where there is none.
std::optional<double> half_width(const comparison& pair);

/// ln of the ratio that this run cannot tell from 1: the farther end of raw against itself. Empty without it.
std::optional<double> aa_floor(const std::vector<comparison>& pairs);

}  // namespace bench
