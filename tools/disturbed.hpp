#pragma once
// What the truth tests put in: a driver that burns time in every op, and a peer that is stopped for a while.

#include "bench/clock.hpp"
#include "bench/runner.hpp"
#include "bench/schedule.hpp"
#include "bench/workload.hpp"

#include <signal.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace tools {

/// What was really put in, per op: one value for each run of a workload, of which the median counts.
using achieved = std::vector<double>;

/// The raw client as a driver that burns a known time in every op.
class spinning final : public bench::workload {
 public:
  static constexpr std::int64_t ns = 5'000;

  /// `each` outlives the workload.
  spinning(std::unique_ptr<bench::workload> raw, achieved& each) : raw_(std::move(raw)), each_(each) {}

  absl::Status before() override { return raw_->before(); }

  absl::Status run(std::uint64_t ops) override {
    ops_ = ops;
    spun_ns_ = 0;
    for (std::uint64_t i = 0; i < ops; ++i) {
      if (auto status = raw_->run(1); !status.ok()) return status;
      spin();
    }
    return absl::OkStatus();
  }

  absl::Status after() override {
    each_.push_back(static_cast<double>(spun_ns_) / static_cast<double>(ops_));
    return raw_->after();
  }

  std::optional<std::uint64_t> syscalls() const override { return raw_->syscalls(); }
  std::optional<bench::traffic> counted() const override { return raw_->counted(); }

 private:
  void spin() {
    const auto start = bench::now_ns();
    auto now = start;
    while (now < start + ns) now = bench::now_ns();
    spun_ns_ += now - start;
  }

  std::unique_ptr<bench::workload> raw_;
  achieved& each_;
  std::uint64_t ops_ = 1;
  std::int64_t spun_ns_ = 0;
};

/// Stops a process between two rows of a run, once a third of it is over, and lets it go on again.
class freezer {
 public:
  static constexpr std::chrono::milliseconds time{1000};

  explicit freezer(pid_t peer) : peer_(peer) {}
  freezer(const freezer&) = delete;
  freezer& operator=(const freezer&) = delete;
  ~freezer() {
    if (thaw_.joinable()) thaw_.join();
  }

  /// Not where connections are renewed next: what stands still there is not in a round.
  void after_row(const bench::run_progress& now) {
    const bool due = now.elapsed_s > now.budget_s / 3 && now.rows % bench::rows_per_connection_set != 0;
    if (!due || thaw_.joinable()) return;
    ::kill(peer_, SIGSTOP);
    thaw_ = std::thread([peer = peer_] {
      std::this_thread::sleep_for(time);
      ::kill(peer, SIGCONT);
    });
  }

 private:
  pid_t peer_;
  std::thread thaw_;
};

}  // namespace tools
