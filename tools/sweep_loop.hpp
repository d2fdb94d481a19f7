#pragma once
// One cell of a sweep in a process of its own: `wirebench sweep --loop`, for an instrument that watches the process, and the passes
// that start such processes.

#include "bench/cell_plan.hpp"
#include "bench/result.hpp"

#include "tools/sweep_command.hpp"

#include <vector>

#include "absl/status/status.h"

namespace tools {

/// Moves the files that --loop asks for, and prints what this process counts of itself. `cells` are those of the sweep.
absl::Status run_sweep_loop(const sweep_command& options, const std::vector<bench::cell_plan>& cells);

/// Counts what --count asks for of `one`, a cell on a null server, in fresh processes.
bench::cell_counts count_in_loops(const sweep_command& options, const bench::labels& one);

}  // namespace tools
