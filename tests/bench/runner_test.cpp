#include "bench/runner.hpp"

#include "bench/placement.hpp"
#include "bench/schedule.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

namespace bench {
namespace {

/// A clock that only ops move: exact times without waiting for them.
std::int64_t fake_ns = 0;
std::int64_t fake_clock() {
  return fake_ns;
}

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

/// A peer in this very process that counts 100 frames more with every look.
class fake_peer : public peer {
 public:
  std::string name() const override { return "null"; }
  std::string tcp_uri() const override { return "tcp:none"; }
  std::optional<std::string> unix_uri() const override { return std::nullopt; }
  std::optional<pid_t> pid() const override { return pid_; }
  std::optional<traffic> counted() const override {
    frames_ += 100;
    return traffic{frames_, frames_, 0, 0};
  }
  std::unique_ptr<codecs::conversation> converse() const override { return nullptr; }

  std::optional<pid_t> pid_;

 private:
  mutable std::uint64_t frames_ = 0;
};

class Runner : public ::testing::Test {
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

TEST_F(Runner, TimesEveryCellInEveryRowWithEqualOpCounts) {
  add_ladder();
  const auto outcome = measure();
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  ASSERT_GT(outcome.plan.rows, 30u);
  for (const auto& one : outcome.cells) {
    ASSERT_EQ(one.rounds.size(), outcome.plan.rows) << one.what.id;
    for (std::size_t row = 0; row < one.rounds.size(); ++row) {
      EXPECT_EQ(one.rounds[row].row, row);
      EXPECT_EQ(one.rounds[row].ops, 500u);  // 5 ms of raw
    }
  }
  EXPECT_EQ(outcome.cells[0].per_op.median_ns, 10'000.0);  // before() and after() are outside the timer
  EXPECT_EQ(outcome.cells[2].per_op.median_ns, 20'000.0);
  EXPECT_EQ(outcome.plan.groups.at(0).ops_per_round, 500u);
}

TEST_F(Runner, KeepsTheOrderOfTheLatinSquare) {
  add_ladder();
  options_.seed = 99;
  const auto outcome = measure();
  for (std::uint64_t row = 0; row < outcome.plan.rows; ++row) {
    const auto order = latin_row(3, row, 99);
    for (std::size_t position = 0; position < 3; ++position) {
      EXPECT_EQ(outcome.cells[order[position]].rounds[row].position, position) << row;
    }
  }
}

TEST_F(Runner, EndsWithWholeBlocksInsideTheBudget) {
  add_ladder();
  const auto outcome = measure();
  EXPECT_EQ(outcome.plan.reason, ended_by::budget);
  EXPECT_TRUE(outcome.plan.balanced);
  EXPECT_EQ(outcome.plan.rows % 3, 0u);
  EXPECT_LE(outcome.plan.elapsed_s, 3.0);
  EXPECT_GT(outcome.plan.elapsed_s, 2.8);
}

TEST_F(Runner, WarmsUpByTimeAndByOps) {
  add("fast", "tcp0", "raw", {.op_ns = 1'000});
  add("middling", "tcp0", "raw", {.op_ns = 400'000});
  add("slow", "real", "raw", {.op_ns = 5'000'000});
  options_.budget_s = 20;
  options_.stop = &stop_;
  options_.on_progress = [&](const run_progress&) { stop_ = true; };  // one row is enough
  const auto outcome = measure();
  ASSERT_EQ(outcome.plan.rows, 1u);
  const auto warm = [&](const std::string& id, std::size_t rounds) {
    const auto& runs = diaries_[id].runs;
    std::uint64_t ops = 0;
    for (std::size_t i = 0; i + rounds < runs.size(); ++i) ops += runs[i];
    return ops;
  };
  const auto fast = warm("fast", outcome.cells[0].rounds.size());
  const auto middling = warm("middling", outcome.cells[1].rounds.size());
  const auto slow = warm("slow", outcome.cells[2].rounds.size());
  EXPECT_GE(fast, 200'000u);  // 200 ms
  EXPECT_LT(fast, 200'200u);
  EXPECT_GE(middling, 1'000u);  // 1,000 ops
  EXPECT_LT(middling, 1'200u);
  EXPECT_GE(slow, 200u);  // fewer, since one exceeds 1 ms
  EXPECT_LT(slow, 400u);
}

TEST_F(Runner, GivesEveryCellFreshConnectionsEverySixteenRows) {
  add_ladder();
  const auto outcome = measure();
  const auto sets = (outcome.plan.rows + 15) / 16;
  for (const auto& one : outcome.cells) {
    for (const auto& timed : one.rounds) EXPECT_EQ(timed.connection_set, timed.row / 16);
    const auto& seen = diaries_[one.what.id];
    EXPECT_EQ(seen.opened, static_cast<int>(sets)) << one.what.id;
    EXPECT_EQ(seen.closed, seen.opened);
    EXPECT_EQ(seen.before, seen.after);
    EXPECT_EQ(std::count(seen.runs.begin(), seen.runs.end(), 50u),
              seen.opened - 1);  // ops after each reconnect
  }
}

TEST_F(Runner, KeepsTheCellsOnTheRealServerTogether) {
  add_ladder();
  add("real/raw", "real", "raw", {.op_ns = 49'000});  // on either side of fivefold the anchor
  add("real/driver", "real", "libmongoc", {.op_ns = 52'000});
  plans_[3].group_with = plans_[4].group_with = "real";
  const auto outcome = measure();
  ASSERT_EQ(outcome.plan.groups.size(), 2u);
  EXPECT_EQ(outcome.plan.groups[1].cells, (std::vector<std::string>{"real/raw", "real/driver", "raw"}));
}

TEST_F(Runner, PutsSlowCellsIntoAGroupWithTheAnchor) {
  add_ladder();
  add("real", "real", "raw", {.op_ns = 1'000'000});
  const auto outcome = measure();
  ASSERT_EQ(outcome.plan.groups.size(), 2u);
  EXPECT_EQ(outcome.plan.groups[0].cells, (std::vector<std::string>{"raw", "again", "driver"}));
  EXPECT_EQ(outcome.plan.groups[1].cells, (std::vector<std::string>{"real", "raw"}));
  EXPECT_EQ(outcome.plan.groups[1].ops_per_round, 5u);
  EXPECT_EQ(outcome.cells[0].group, 0u);
  EXPECT_EQ(outcome.cells[3].group, 1u);
  EXPECT_EQ(outcome.cells[0].rounds.size(), 2 * outcome.plan.rows);  // once in each group of every row
  for (std::size_t i = 0; i < outcome.cells[0].rounds.size(); ++i) {
    EXPECT_EQ(outcome.cells[0].rounds[i].group, i % 2);
    EXPECT_EQ(outcome.cells[0].rounds[i].ops, i % 2 == 0 ? 500u : 5u);
  }
}

TEST_F(Runner, KeepsTheRowsBeforeAFailure) {
  add_ladder();
  add("broken", "driver", "libpq", {.op_ns = 10'000, .fails_at_op = 25'000});
  const auto outcome = measure();
  EXPECT_EQ(outcome.status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(outcome.status.message(), "broken: the peer closed the connection");
  EXPECT_EQ(outcome.plan.reason, ended_by::failure);
  EXPECT_EQ(outcome.plan.failure, "broken: the peer closed the connection");
  ASSERT_GT(outcome.plan.rows, 0u);
  for (const auto& one : outcome.cells) EXPECT_EQ(one.rounds.size(), outcome.plan.rows) << one.what.id;
  EXPECT_EQ(outcome.cells[0].per_op.median_ns, 10'000.0);
}

// Case C34: no op completed.
TEST_F(Runner, SaysWhyThereIsNotOneRound) {
  add_ladder();
  plans_[2].open = []() -> absl::StatusOr<std::unique_ptr<workload>> {
    return absl::DeadlineExceededError("no answer in 1 s");
  };
  const auto outcome = measure();
  EXPECT_EQ(outcome.status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(outcome.status.message(), "driver: no answer in 1 s");
  EXPECT_EQ(outcome.plan.rows, 0u);
  ASSERT_EQ(outcome.cells.size(), 3u);
  for (const auto& one : outcome.cells) {
    EXPECT_TRUE(one.rounds.empty());
    EXPECT_FALSE(one.per_op.median_ns);
  }
}

// Case C34: a run shorter than its warm-up is refused at start.
TEST_F(Runner, RefusesABudgetShorterThanTheWarmUp) {
  add_ladder();
  options_.budget_s = 0.5;
  const auto outcome = measure();
  EXPECT_EQ(outcome.status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(std::string(outcome.status.message()).find("raise --budget"), std::string::npos)
      << outcome.status;
  EXPECT_EQ(diaries_["raw"].opened, 0);
}

TEST_F(Runner, SaysWhenTheWarmUpTookTheWholeBudget) {
  add("slow", "tcp0", "raw", {.op_ns = 5'000'000'000});
  const auto outcome = measure();
  EXPECT_EQ(outcome.status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(outcome.plan.rows, 0u);
}

TEST_F(Runner, DropsTheRowInWhichItIsStopped) {
  add_ladder();
  add("last", "driver", "libpq", {.op_ns = 10'000, .stops_at_op = 30'000, .stop = &stop_});
  options_.stop = &stop_;
  const auto outcome = measure();
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.plan.reason, ended_by::stop);
  ASSERT_GT(outcome.plan.rows, 0u);
  for (const auto& one : outcome.cells) EXPECT_EQ(one.rounds.size(), outcome.plan.rows);
  std::int64_t timed = 0;
  for (const auto& [id, seen] : diaries_) timed += std::count(seen.runs.begin(), seen.runs.end(), 500u);
  EXPECT_NE(timed % 4, 0);  // it was stopped in the middle of a row, not at its end
}

TEST_F(Runner, StopsInTheWarmUpWithoutAComplaint) {
  add_ladder();
  stop_ = true;
  options_.stop = &stop_;
  const auto outcome = measure();
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.plan.reason, ended_by::stop);
  EXPECT_EQ(outcome.plan.rows, 0u);
}

TEST_F(Runner, EndsEarlyWhenThePrecisionHoldsThreeTimes) {
  add_ladder();
  options_.precision = 0.01;  // of times without any noise
  std::optional<double> half_width;
  options_.on_progress = [&](const run_progress& now) { half_width = now.half_width; };
  const auto outcome = measure();
  EXPECT_EQ(outcome.plan.reason, ended_by::precision);
  EXPECT_EQ(outcome.plan.rows,
            54u);  // three looks, one every 18 rows: whole blocks of three, 16 rows or more
  EXPECT_EQ(half_width, 0.0);
}

TEST_F(Runner, EndsAfterSoManyRowsWhenAsked) {
  add_ladder();
  options_.max_rows = 20;
  const auto outcome = measure();
  EXPECT_EQ(outcome.plan.reason, ended_by::rows);
  EXPECT_EQ(outcome.plan.rows, 20u);
  EXPECT_FALSE(outcome.plan.balanced);  // blocks of three
}

TEST_F(Runner, NeedsADriverForThePrecisionRule) {
  add("raw", "tcp0", "raw", {.op_ns = 10'000});
  add("again", "tcp0", "raw", {.op_ns = 10'000});
  options_.precision = 0.01;
  EXPECT_EQ(measure().plan.reason, ended_by::budget);
}

TEST_F(Runner, CountsExactlyWhatTheClientTells) {
  add_ladder();
  const auto outcome = measure();
  const auto& per_op = outcome.cells[0].per_op;
  EXPECT_EQ(per_op.frames_out, 1.0);
  EXPECT_EQ(per_op.bytes_out, 58.0);
  EXPECT_EQ(per_op.bytes_in, 50.0);
  EXPECT_EQ(per_op.syscalls, 2.0);
  EXPECT_FALSE(per_op.server_cpu_ns);  // the server is this thread
  for (const auto& found : outcome.warnings) EXPECT_NE(found.code, "W-COUNTS") << found.number;
}

TEST_F(Runner, AsksThePeerWhereTheClientDoesNotCount) {
  fake_peer null;
  null.pid_ = getpid();
  add("driver", "driver", "libmongoc", {.op_ns = 10'000, .counts = false});
  plans_[0].served_by = &null;
  const auto outcome = measure();
  EXPECT_EQ(outcome.cells[0].per_op.frames_out, 100.0 / 500);
  EXPECT_TRUE(outcome.cells[0].per_op.server_cpu_ns);
  EXPECT_FALSE(outcome.cells[0].per_op.syscalls);
}

TEST_F(Runner, PinsTheConnectionsOwnProcessAndNotTheCluster) {
  const pid_t backend = fork();
  if (backend == 0) {
    for (;;) pause();
  }
  const pid_t cluster = fork();
  if (cluster == 0) {
    for (;;) pause();
  }
  fake_peer postgres;
  postgres.pid_ = cluster;
  add("raw", "tcp0", "raw", {.op_ns = 10'000, .server = backend});
  plans_[0].served_by = &postgres;
  EXPECT_TRUE(measure().status.ok());

  cpu_set_t of_backend, of_cluster;
  ASSERT_EQ(sched_getaffinity(backend, sizeof of_backend, &of_backend), 0);
  ASSERT_EQ(sched_getaffinity(cluster, sizeof of_cluster, &of_cluster), 0);
  for (const pid_t child : {backend, cluster}) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  EXPECT_EQ(CPU_COUNT(&of_backend), 1);
  EXPECT_TRUE(CPU_ISSET(default_cpu(), &of_backend));
  EXPECT_TRUE(CPU_EQUAL(&of_cluster, &affinity_));
}

TEST_F(Runner, WarnsOfAServerThatCannotBePinned) {
  fake_peer elsewhere;
  add_ladder();
  plans_[1].served_by = &elsewhere;
  const auto outcome = measure();
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  std::vector<std::string> unpinned;
  for (const auto& found : outcome.warnings) {
    if (found.code == "W-PLACEMENT") unpinned.push_back(found.number);
  }
  EXPECT_EQ(unpinned, std::vector<std::string>{"again"});
}

TEST_F(Runner, IsPinnedWhileItMeasuresAndNotAfter) {
  const auto before = allowed_cpus();
  add_ladder();
  const auto outcome = measure();
  for (const auto& timed : outcome.cells[0].rounds) {
    EXPECT_EQ(timed.cpu_start, default_cpu());
    EXPECT_EQ(timed.cpu_end, default_cpu());
  }
  EXPECT_EQ(allowed_cpus(), before);
  options_.cpu = CPU_SETSIZE - 1;
  options_.now = fake_clock;
  EXPECT_EQ(run(plans_, options_).status.code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace bench
