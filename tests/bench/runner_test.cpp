#include "bench/runner.hpp"

#include "bench/placement.hpp"
#include "bench/schedule.hpp"

#include "tests/bench/bare_peer.hpp"
#include "tests/bench/fake_run.hpp"

#include <sys/wait.h>

#include <signal.h>
#include <unistd.h>

#include <algorithm>

namespace bench {
namespace {

/// A peer in this very process that counts 100 frames more with every look.
class fake_peer : public bare_peer {
 public:
  std::optional<pid_t> pid() const override { return pid_; }
  std::optional<traffic> counted() const override {
    frames_ += 100;
    return traffic{frames_, frames_, 0, 0};
  }

  std::optional<pid_t> pid_;

 private:
  mutable std::uint64_t frames_ = 0;
};

class Runner : public fake_run {};

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
