#pragma once
// Where the ops of one thread are recorded. The thread writes into a recording of its own, so that nothing is shared or
// locked per op; where progress is wanted, it is handed over once a second.

#include "bench/load/recording.hpp"
#include "bench/load/run_state.hpp"
#include "bench/resources.hpp"

namespace bench::load {

class recorder {
 public:
  explicit recorder(const run_state& state);

  /// An op is over that was due at `due_ns` and sent at `sent_ns` (the same in a closed loop). Ops due in the warm-up are
  /// not recorded. One or two histograms, no allocation, no system call, but for the hand-over.
  void completed(std::size_t op, std::int64_t due_ns, std::int64_t sent_ns, std::int64_t end_ns) {
    if (due_ns < state_.measure_ns) return;
    own_.service[op].record(end_ns - sent_ns);
    if (own_.response) completed_late(due_ns, sent_ns, end_ns);
    last_end_ns_ = end_ns;
    completed_.store(completed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// For everything that is rarer than an op.
  recording& own() { return own_; }

  /// The thread's, around what it measures; the first call of each counts.
  void begin_usage();
  void end_usage();

  /// What the thread has used between the two; once it has ended. Empty when it did not come so far.
  std::optional<usage> used() const { return used_; }

  /// The thread's: whether the next hand-over is due, and the hand-over.
  bool hand_over_due(std::int64_t now_ns) const { return now_ns >= hand_over_ns_; }
  void hand_over(std::int64_t now_ns);

  /// The owner's, at any time: what was handed over since the last call.
  recording take_handed_over();

  /// Ops recorded so far; for any thread.
  std::uint64_t completed() const { return completed_.load(std::memory_order_relaxed); }

  /// The end of the last op recorded, 0 for none; once the thread has ended.
  std::int64_t last_end_ns() const { return last_end_ns_; }

 private:
  void completed_late(std::int64_t due_ns, std::int64_t sent_ns, std::int64_t end_ns);

  const run_state& state_;
  recording own_;
  std::optional<usage> began_;
  std::optional<usage> used_;
  std::int64_t last_end_ns_ = 0;
  std::int64_t hand_over_ns_;
  std::atomic<std::uint64_t> completed_{0};
  std::mutex mutex_;
  recording handed_over_;
};

}  // namespace bench::load
