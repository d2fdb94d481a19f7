#pragma once
// Which cell runs when, and for how many ops. Pure: no clock, no workloads.
//
// Noise wanders over tenths of a second. Rounds of about 5 ms put both halves of a pair into the same weather
// (half-width 0.35 % where rounds of 28 ms gave 3.5 %), and an order in which every cell stands in every
// position equally often keeps drift and the influence of the neighbour out of the difference.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bench {

/// Length that a round is planned for (measurement method, part 3: 3 to 10 ms).
inline constexpr std::int64_t round_ns = 5'000'000;

/// Rows between fresh connections of all cells: two connections differ by 0.2 % in themselves.
inline constexpr std::uint64_t rows_per_connection_set = 16;

/// The order of one row, by index into the group: position p of row r of a block holds pi[(r + p) mod cells],
/// with a fresh permutation pi per block of as many rows as there are cells. Same seed, same order.
std::vector<std::size_t> latin_row(std::size_t cells, std::uint64_t row, std::uint64_t seed);

/// Cells of similar speed that share an op count.
struct speed_group {
  /// Indices, ascending, so that the seed alone decides on the order of a group; in groups other than the
  /// anchor's own, the anchor comes last.
  std::vector<std::size_t> cells;
  std::uint64_t ops = 0;  ///< per round
};

/// Row groups for cells with these times per op. The anchor (raw tcp0) forms the first group with all cells
/// that are faster or at most fivefold slower; slower cells form groups of their own whose times lie within
/// fivefold. Fast cells need no group of their own: at equal op counts their rounds are short, so they do not
/// pull a pair apart.
std::vector<speed_group> group_by_speed(std::span<const double> op_ns, std::size_t anchor);

/// Ops that fill a round, at least one.
std::uint64_t ops_per_round(double op_ns);

/// Rows after which every cell has stood equally often in every position of its group.
std::uint64_t block_rows(const std::vector<speed_group>& groups);

}  // namespace bench
