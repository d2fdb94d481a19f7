#pragma once
// A cell with its connection: opens it, warms it up, and times rounds of it.

#include "bench/cell_plan.hpp"
#include "bench/result.hpp"

#include <sys/types.h>

#include <memory>
#include <optional>

#include "absl/status/statusor.h"

namespace bench {

class live_cell {
 public:
  /// `plan` must outlive the cell; `now` is the clock, in ns. The calling thread is pinned to `cpu` already.
  live_cell(const cell_plan& plan, int cpu, std::int64_t (*now)()) : plan_(plan), cpu_(cpu), now_(now) {}

  /// Drops the connection, if any, and makes a fresh one; then pins the process that serves it.
  absl::Status open();

  /// Runs ops until both the time and the number of a warm-up are reached (measurement method, part 3).
  absl::Status warm_up();

  /// What is left to warm after open() when the code is warm: the connection's own state.
  absl::Status warm_connection();

  /// Times one round of so many ops. Row, position and group are left to the caller.
  absl::StatusOr<round> time_round(std::uint64_t ops);

  /// Mean time of an op in the warm-up.
  double op_ns() const { return op_ns_; }

  /// Why the serving process could not be pinned; ok when it is, or when it is this thread.
  const absl::Status& placed() const { return placed_; }

 private:
  absl::StatusOr<std::int64_t> timed_run(std::uint64_t ops);
  std::optional<traffic> counted() const;
  std::optional<delay_tally> delayed() const;
  absl::Status named(const absl::Status& status) const;

  const cell_plan& plan_;
  int cpu_;
  std::int64_t (*now_)();
  std::unique_ptr<workload> work_;
  std::optional<pid_t> server_;  // the process whose CPU time is the server's
  absl::Status placed_;
  double op_ns_ = 0;
};

/// Least time that a warm-up takes.
inline constexpr std::int64_t warm_up_ns = 200'000'000;

}  // namespace bench
