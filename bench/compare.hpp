#pragma once
// Comparisons between the cells of one op, from their rounds.

#include "bench/result.hpp"

#include <vector>

namespace bench {

/// Every comparison that the cells allow, in the order of the report: raw against itself, raw against floor,
/// each rung against the one below it, each driver against raw, also where the null server takes its time, the real server
/// against the null server, in all and on the bytes of a noop, the op against that noop, each driver against raw on the
/// real server, and whether it costs there what it costs on the null server. All cells are of one op. `delta` is the threshold of the verdicts.
std::vector<comparison> compare(const std::vector<cell>& cells, double delta);

/// Every cell against the first one, in their order; a cell `again`, the first one once more, is raw against itself. All cells are of
/// one op.
std::vector<comparison> compare_with_first(const std::vector<cell>& cells, double delta);

/// Time of b over time of a in the rows in which both stand, and each row's connection set and process.
struct row_ratios {
  std::vector<double> ratios;
  std::vector<std::uint64_t> sets;
  std::vector<std::uint64_t> processes;
};
row_ratios ratios_by_row(const cell& a, const cell& b);

/// Widest relative half-width of the driver / raw ratios (0.01 is 1 %); empty when there are none or one of
/// them has no interval yet.
std::optional<double> widest_overhead(const std::vector<comparison>& pairs);

/// ln of the ratio that this run cannot tell from 1: the farther end of raw against itself. Empty without it.
std::optional<double> aa_floor(const std::vector<comparison>& pairs);

}  // namespace bench
