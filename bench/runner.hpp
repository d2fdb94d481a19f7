#pragma once
// Runs the cells of one op against each other: in one run, interleaved, in short rounds of equal op counts.
//
//   open all cells, warm each up            measures the speed of each, from which
//   row groups and op counts follow         (schedule.hpp)
//   rows: every group, every cell once      in Latin-square order
//   every 16 rows: fresh connections        and their warm-up, outside the timer
//   until the budget or the precision       at the end of a whole block where time allows
//
// Inside the timer is workload::run() and nothing else. CPU, switches and counters are read just outside of
// it.

#include "bench/cell_plan.hpp"
#include "bench/clock.hpp"
#include "bench/result.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"

namespace bench {

struct run_progress {
  double elapsed_s;
  double budget_s;
  std::uint64_t rows;
  std::optional<double> half_width;  ///< widest of the driver / raw ratios so far, relative: 0.01 is 1 %
  std::uint64_t ops;                 ///< timed ops of each cell of the first group
};

struct run_options {
  double budget_s = 20;             ///< per op, warm-up included
  std::optional<double> precision;  ///< end earlier at this half-width of all driver / raw ratios (1 %: 0.01)
  std::optional<std::uint64_t> max_rows;  ///< end earlier after so many rows
  /// End earlier, at the end of a block, when each cell of the first group has timed so many ops; rounds are cut so short that
  /// these make twenty rows.
  std::optional<std::uint64_t> max_ops;
  std::uint64_t seed = 1;
  int cpu = 0;                                           ///< for both sides (same-cpu)
  const std::atomic<bool>* stop = nullptr;               ///< set by Ctrl-C; looked at between rounds
  std::function<void(const run_progress&)> on_progress;  ///< at most once per row; may be empty
  std::int64_t (*now)() = now_ns;                        ///< a test's clock
};

/// What was measured, whole rows only, whether or not the run came to its end.
struct run_outcome {
  absl::Status status;      ///< why a cell failed; ok when the run ended by a rule or by the stop flag
  std::vector<cell> cells;  ///< as planned, with rounds and summary
  op_plan plan;
  std::vector<warning> warnings;
};

/// Measures `cells`, all of one op; among them at most two of rung tcp0 and client raw, of which the first is
/// the anchor of slow row groups. Pins the calling thread for as long as it runs, and the serving processes
/// for good: a server that lives on is its owner's to give back its cpus (kept_affinity).
///
/// Fails without a round (status) when the budget is shorter than the warm-up, the cpu cannot be had, or a
/// cell cannot be opened or fails in its warm-up. A cell that fails later ends the run and keeps the rows
/// before.
run_outcome run(const std::vector<cell_plan>& cells, const run_options& options);

}  // namespace bench
