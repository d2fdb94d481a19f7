#pragma once
// What `sweep` measured, for a terminal.

#include "bench/chunk_fit.hpp"
#include "bench/result.hpp"

#include <set>
#include <string>
#include <vector>

namespace bench {

/// Whether its cells are those of a sweep.
bool is_sweep(const result& measured);

/// The cells of one table: one direction on one server, without the first cell's repetition.
using sweep_table = std::vector<const cell*>;
std::vector<sweep_table> sweep_tables(const result& measured);

/// One client's cells that differ in nothing but the chunk size, and what that costs; or why there is no fit.
struct chunk_series {
  std::vector<const cell*> cells;
  absl::StatusOr<chunk_fit> fit;
};
std::vector<chunk_series> chunk_series_of(const sweep_table& table);

/// Ids of the cells that no other one of the table betters in throughput without more client CPU. floor is no choice.
std::set<std::string> best_of(const sweep_table& table);

/// The last two of all tables, as a result holds them.
sweep_figures sweep_figures_of(const result& measured);

/// Tables, fits and best cells. At most 110 columns.
std::string report_sweep(const result& measured, bool colour);

}  // namespace bench
