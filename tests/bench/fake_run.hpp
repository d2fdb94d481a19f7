#pragma once
// Runs of ladders whose clients are the test's own, on a clock that their ops move.

#include "bench/placement.hpp"
#include "bench/runner.hpp"

#include "tests/bench/fake_clock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>

namespace bench {

/// What happened to the workloads of one cell.
struct diary {
  int opened = 0;
  int closed = 0;
  int before = 0;
  int after = 0;
  std::uint64_t ops = 0;
  std::vector<std::uint64_t> runs;  // ops of each run
};

/// A client whose ops take `op_ns` of the fake clock, and which fails or stops the run at a given op.
class fake_workload : public workload {
 public:
  struct script {
    std::int64_t op_ns = 10'000;
    std::uint64_t fails_at_op = UINT64_MAX;
    std::uint64_t stops_at_op = UINT64_MAX;
    std::atomic<bool>* stop = nullptr;
    bool counts = true;
    std::optional<pid_t> server;
  };

  fake_workload(const script& told, diary& seen) : told_(told), seen_(seen) {
    EXPECT_EQ(seen_.opened, seen_.closed);  // never two connections of one cell
    ++seen_.opened;
  }
  ~fake_workload() override { ++seen_.closed; }

  absl::Status before() override {
    ++seen_.before;
    fake_ns += 700'000;  // outside the timer
    return absl::OkStatus();
  }
  absl::Status run(std::uint64_t ops) override {
    seen_.runs.push_back(ops);
    seen_.ops += ops;
    fake_ns += static_cast<std::int64_t>(ops) * told_.op_ns;
    if (seen_.ops >= told_.stops_at_op) told_.stop->store(true);
    return seen_.ops >= told_.fails_at_op ? absl::UnavailableError("the peer closed the connection")
                                          : absl::OkStatus();
  }
  absl::Status after() override {
    ++seen_.after;
    return absl::OkStatus();
  }
  std::optional<std::uint64_t> syscalls() const override {
    return told_.counts ? std::optional(2 * seen_.ops) : std::nullopt;
  }
  std::optional<traffic> counted() const override {
    if (!told_.counts) return std::nullopt;
    return traffic{seen_.ops, seen_.ops, 58 * seen_.ops, 50 * seen_.ops};
  }
  std::optional<pid_t> server_pid() const override { return told_.server; }

 private:
  script told_;
  diary& seen_;
};

class fake_run : public ::testing::Test {
 protected:
  void SetUp() override {
    fake_ns = 0;
    ASSERT_EQ(sched_getaffinity(0, sizeof affinity_, &affinity_), 0);
  }
  void TearDown() override { sched_setaffinity(0, sizeof affinity_, &affinity_); }

  void add(const std::string& id, const std::string& rung, const std::string& client,
           const fake_workload::script& told) {
    auto& seen = diaries_[id];
    plans_.push_back({.what = {.id = id, .op = "mongo.ping", .rung = rung, .client = client},
                      .open = [told, &seen]() -> absl::StatusOr<std::unique_ptr<workload>> {
                        return std::make_unique<fake_workload>(told, seen);
                      }});
  }

  void add_ladder() {
    add("raw", "tcp0", "raw", {.op_ns = 10'000});
    add("again", "tcp0", "raw", {.op_ns = 10'000});
    add("driver", "driver", "libmongoc", {.op_ns = 20'000});
  }

  run_outcome measure() {
    options_.cpu = default_cpu();
    options_.now = fake_clock;
    return run(plans_, options_);
  }

  cpu_set_t affinity_;  // serving processes, and this one is one in a test, stay pinned for good
  std::vector<cell_plan> plans_;
  std::map<std::string, diary> diaries_;
  run_options options_{.budget_s = 3};
  std::atomic<bool> stop_ = false;
};

}  // namespace bench
