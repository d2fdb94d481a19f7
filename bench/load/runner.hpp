#pragma once
// Runs a tight loop:
//
//   open all connections        each on a thread of its own; timed
//   warm-up, then measuring     without a pause between the two: ops due behind the warm-up are recorded
//   the end                     duration, count, Ctrl-C, or nothing goes any more
//
// The calling thread watches meanwhile: every tenth of a second it closes a round (ops, CPU of both sides), every second it
// tells the progress.

#include "bench/load/plan.hpp"
#include "bench/result.hpp"

namespace bench::load {

struct outcome {
  /// Why the run could not begin or go on; ok when it came to its end or was stopped. What was measured until then is in
  /// the cell in any case.
  absl::Status status;

  cell measured;  ///< its labels are left to the caller, but for the placement
};

/// InvalidArgument when the run is shorter than its warm-up: what it tells would come from caches that are still cold.
absl::Status check(const plan& asked);

/// Of a plan that is good by check(). A connection that cannot be had ends it, with an outcome that holds the error.
outcome run(const plan& asked);

}  // namespace bench::load
