#pragma once
// Looks at the threads of a tight loop from outside while they run: rounds for comparisons, seconds for progress.

#include "bench/load/worker.hpp"
#include "bench/result.hpp"

#include <memory>
#include <vector>

namespace bench::load {

using workers = std::vector<std::unique_ptr<worker>>;

class observer {
 public:
  /// Both outlive the observer. All connections are open, and the run has begun.
  observer(run_state& state, const workers& of);

  /// When to look next, in ns of now_ns().
  std::int64_t next_look_ns() const { return next_look_ns_; }

  /// Looks: at the end of the warm-up and every tenth of a second from then on a round is closed; every second is told. A
  /// round holds at least one op, so that one during which the server stood still is long.
  void look(std::int64_t now_ns);

  /// The last look: the connections are open still, but nothing runs any more. If a closed loop completed nothing more, the
  /// time since belongs to the last round: its connections waited.
  void last_look(std::int64_t now_ns);

  /// Time per op over all connections: elapsed / ops is 1 / throughput.
  const std::vector<round>& rounds() const { return rounds_; }

  /// What happened between the first look behind the warm-up and the last one, give or take the ops in flight at these.
  struct measured_part {
    std::uint64_t ops;
    std::int64_t elapsed_ns;

    /// CPU time of what serves; empty where it is not known, or where connections were renewed with processes of their own.
    std::optional<std::int64_t> server_cpu_ns;

    std::optional<traffic> peer;  ///< what it has counted, where it counts
  };

  /// Empty when the warm-up was not over, or nothing was completed.
  std::optional<measured_part> seen() const;

  /// What threads have handed over; taken.
  recording take_told() { return std::move(told_); }

 private:
  struct reading {
    std::int64_t at_ns = 0;
    std::uint64_t ops = 0;
    std::int64_t client_cpu_ns = 0;
    std::optional<std::int64_t> server_cpu_ns;
    std::optional<traffic> peer;
  };

  reading read(std::int64_t now_ns);
  std::vector<pid_t> servers() const;
  void close_round(const reading& now, bool last);
  static void add(const reading& from, const reading& to, round& timed);
  void tell_second(std::int64_t now_ns);

  run_state& state_;
  const workers& workers_;
  std::vector<pid_t> servers_;
  std::optional<reading> measured_from_;
  reading round_from_;
  reading last_;
  std::vector<round> rounds_;
  recording told_;
  std::int64_t next_look_ns_;
  std::int64_t told_ns_;
  std::int64_t next_second_ns_;
};

}  // namespace bench::load
