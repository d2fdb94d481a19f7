#pragma once
// A thread of a tight loop, with its connections.

#include "bench/load/connection.hpp"

#include <functional>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace bench::load {

class worker {
 public:
  /// Takes the connections `first`, `first` + `step` and so on. `state` outlives the worker.
  worker(run_state& state, std::size_t first, std::size_t step);

  /// Waits for the thread.
  ~worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  /// Starts the thread: it pins itself, opens its connections one after the other, counts `opened` down, waits for `go`, runs, and says `ended`.
  /// A connection that cannot be had ends the run.
  void start(std::latch& opened, std::latch& go, std::function<void()> ended);

  /// CPU time of the thread so far, or in all once it is over. After `opened`.
  std::int64_t cpu_ns() const;

  recorder& recorded() { return recorder_; }
  const std::vector<std::unique_ptr<connection>>& connections() const { return connections_; }

 private:
  void whole(std::latch& opened, std::latch& go);
  absl::Status open_all();
  absl::Status drive_all();

  run_state& state_;
  recorder recorder_;
  std::vector<std::unique_ptr<connection>> connections_;
  clockid_t cpu_clock_ = CLOCK_MONOTONIC;
  std::atomic<std::int64_t> whole_cpu_ns_{0};  // set at the thread's end, with which its clock goes
  std::thread thread_;
};

}  // namespace bench::load
