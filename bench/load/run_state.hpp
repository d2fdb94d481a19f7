#pragma once
// What the connections of one run share: the plan, the times at which it turns, and whether it goes on.

#include "bench/load/plan.hpp"

#include <atomic>
#include <limits>
#include <mutex>

#include "absl/status/status.h"

namespace bench::load {

struct run_state {
  static constexpr auto never = std::numeric_limits<std::int64_t>::max();

  explicit run_state(const plan& asked);

  const plan& how;
  std::optional<arrivals> schedule;  ///< with an open loop

  // Set when all connections are open, before the first op; in ns of now_ns().
  std::int64_t begin_ns = 0;
  std::int64_t measure_ns = 0;  ///< the warm-up is over, without a pause: ops due from here on are recorded
  std::int64_t end_ns = 0;      ///< no op is due from here on
  std::int64_t last_send_ns =
      0;  ///< what is due but not sent by then never is; behind the end in an open loop alone

  std::atomic<std::int64_t> left{0};  ///< with --count: ops that may still be started

  /// Ends the run at that time, before its own end; the first time is kept.
  void stop(std::int64_t at_ns);

  /// The same now, when Ctrl-C has asked for it.
  void stop_if_asked();

  /// Whether it was ended so.
  bool over() const { return stopped_ns_.load(std::memory_order_relaxed) != never; }

  /// Ends the run; the first cause is kept.
  void fail(const absl::Status& cause);
  absl::Status failure() const;

  /// The placement could not be had on both sides; the first reason is kept.
  void could_not_place(const absl::Status& why);
  absl::Status placed() const;

  /// Sets the four times.
  void begin(std::int64_t now_ns);

  /// Its own end, or when it was ended before that; `never` for a count that was reached.
  std::int64_t ended_ns() const;

  /// With --count: takes one op; false when none is left.
  bool take_one() { return !how.count || left.fetch_sub(1, std::memory_order_relaxed) > 0; }

 private:
  std::atomic<std::int64_t> stopped_ns_{never};
  mutable std::mutex mutex_;
  absl::Status failure_;
  absl::Status placed_;
};

}  // namespace bench::load
