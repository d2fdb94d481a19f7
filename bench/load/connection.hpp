#pragma once
// One connection and its loop, a coroutine:
//
//   closed loop   the next op starts when the last one ends: one clock read per op, which is the end of one and the start of
//                 the next
//   open loop     ops start when they are due, or at once when they are late: two clock reads per op
//
// Between ops, and outside of their times: rounds of the workload (before, after), reconnects, hand-overs, errors.
//
// On a blocking loop it has its thread for itself; on a reactor an op is the only thing that it waits for together with
// others: connecting and rounds block the thread.

#include "codecs/window.hpp"

#include "wire/async_channel.hpp"

#include "bench/load/mix.hpp"
#include "bench/load/recorder.hpp"
#include "bench/resources.hpp"

#include <deque>
#include <vector>

namespace bench::load {

/// What connections have counted of their own work since they began to measure. Empty where it cannot be known (drivers).
struct counted_work {
  std::optional<std::uint64_t> syscalls;
  std::optional<traffic> moved;
};

class connection : codecs::window_source {
 public:
  /// All three outlive the connection. `number` counts from 0 and sets the mix's order.
  connection(run_state& state, recorder& into, std::size_t number);
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  /// Connects, and pins the process that serves it. Its time is recorded, and its error too.
  absl::Status open();

  /// Runs ops until the run is over or the connection is given up; errors are recorded. The connection stays open, so that
  /// the process that serves it can still be asked for its CPU time. Called once, behind open(), by the loop's thread.
  wire::task drive(wire::loop& loop);

  /// Takes the connection off the loop; before the loop goes.
  void leave_loop() { async_.reset(); }

  /// What serves it, while it is open.
  std::optional<pid_t> server() const { return server_; }

  /// Once drive() is over: of its measured part.
  std::uint64_t ops() const { return ops_; }
  counted_work counted() const { return done_; }
  bool given_up() const { return given_up_; }

 private:
  struct attempt {
    std::size_t op;
    std::int64_t due_ns;
    std::int64_t sent_ns;
    std::uint64_t tries;
  };
  using next_start = std::optional<std::int64_t>;  // empty: there is none

  std::int64_t next_due(std::int64_t now_ns);
  bool ended(std::int64_t now_ns) const;
  bool may_start(std::int64_t due_ns, std::int64_t now_ns);
  bool try_again(attempt& op, const absl::Status& status);
  next_start completed(const attempt& op, std::int64_t end_ns);
  next_start next_round();
  next_start recover(const absl::Status& why);
  next_start reconnect();
  void disconnect();

  // Several ops in flight (pipeline).
  codecs::exchange* next() override;
  void completed(codecs::exchange& op, codecs::progress how) override;
  next_start after_window(codecs::error_code error);
  void join_loop();
  absl::Status renew_round();
  absl::Status begin_round();
  absl::Status end_round();
  void place();
  void begin_counting();
  void stop_counting();

  run_state& state_;
  recorder& recorder_;
  mix mix_;
  wire::loop* loop_ = nullptr;
  session session_;                           // empty while there is no connection
  std::optional<wire::async_channel> async_;  // where the loop does not block
  std::optional<pid_t> server_;
  std::optional<pid_t> pinned_;  // the last one that was
  std::uint64_t left_in_round_ = 0;
  std::uint64_t on_this_session_ = 0;  // ops
  std::int64_t lost_ns_ = 0;           // when the connection was lost, and when it is tried again
  std::int64_t retry_ns_ = 0;
  std::int64_t pause_ns_ = 0;
  std::int64_t last_ns_ = 0;        // pipeline: when the last op ended, which is when the next one is sent
  std::vector<attempt> in_flight_;  // by slot of the session
  std::vector<std::size_t> next_slot_;  // by op of the mix
  std::deque<std::size_t> slots_in_order_;
  absl::Status window_failure_;
  bool measuring_ = false;
  bool given_up_ = false;
  std::uint64_t ops_ = 0;
  counted_work base_;  // readings when counting began on this session
  counted_work done_;
};

}  // namespace bench::load
