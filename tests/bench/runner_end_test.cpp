// How a run ends: by its budget, precision or number of rows, by a failure, by a stop.

#include "tests/bench/fake_run.hpp"

#include <algorithm>

namespace bench {
namespace {

class RunnerEnd : public fake_run {};

TEST_F(RunnerEnd, EndsWithWholeBlocksInsideTheBudget) {
  add_ladder();
  const auto outcome = measure();
  EXPECT_EQ(outcome.plan.reason, ended_by::budget);
  EXPECT_TRUE(outcome.plan.balanced);
  EXPECT_EQ(outcome.plan.rows % 3, 0u);
  EXPECT_LE(outcome.plan.elapsed_s, 3.0);
  EXPECT_GT(outcome.plan.elapsed_s, 2.8);
}

TEST_F(RunnerEnd, KeepsTheRowsBeforeAFailure) {
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
TEST_F(RunnerEnd, SaysWhyThereIsNotOneRound) {
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
TEST_F(RunnerEnd, RefusesABudgetShorterThanTheWarmUp) {
  add_ladder();
  options_.budget_s = 0.5;
  const auto outcome = measure();
  EXPECT_EQ(outcome.status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(std::string(outcome.status.message()).find("raise --budget"), std::string::npos)
      << outcome.status;
  EXPECT_EQ(diaries_["raw"].opened, 0);
}

TEST_F(RunnerEnd, SaysWhenTheWarmUpTookTheWholeBudget) {
  add("slow", "tcp0", "raw", {.op_ns = 5'000'000'000});
  const auto outcome = measure();
  EXPECT_EQ(outcome.status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(outcome.plan.rows, 0u);
}

TEST_F(RunnerEnd, DropsTheRowInWhichItIsStopped) {
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

TEST_F(RunnerEnd, StopsInTheWarmUpWithoutAComplaint) {
  add_ladder();
  stop_ = true;
  options_.stop = &stop_;
  const auto outcome = measure();
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.plan.reason, ended_by::stop);
  EXPECT_EQ(outcome.plan.rows, 0u);
}

TEST_F(RunnerEnd, EndsEarlyWhenThePrecisionHoldsThreeTimes) {
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

TEST_F(RunnerEnd, EndsAfterSoManyRowsWhenAsked) {
  add_ladder();
  options_.max_rows = 20;
  const auto outcome = measure();
  EXPECT_EQ(outcome.plan.reason, ended_by::rows);
  EXPECT_EQ(outcome.plan.rows, 20u);
  EXPECT_FALSE(outcome.plan.balanced);  // blocks of three
}

TEST_F(RunnerEnd, EndsAfterSoManyOpsInTwentyRowsAtLeast) {
  add_ladder();  // of 10 us: 500 ops would make a round
  options_.max_ops = 2'000;
  std::uint64_t ops = 0;
  options_.on_progress = [&](const run_progress& now) { ops = now.ops; };
  const auto outcome = measure();
  EXPECT_EQ(outcome.plan.reason, ended_by::rows);
  EXPECT_EQ(outcome.plan.rows, 21u);  // whole blocks of three
  EXPECT_EQ(ops, 2'100u);
  EXPECT_TRUE(outcome.plan.balanced);
}

TEST_F(RunnerEnd, MakesARoundOfOneOpWhereThereAreFew) {
  add_ladder();
  options_.max_ops = 7;
  EXPECT_EQ(measure().plan.rows, 9u);
}

TEST_F(RunnerEnd, NeedsADriverForThePrecisionRule) {
  add("raw", "tcp0", "raw", {.op_ns = 10'000});
  add("again", "tcp0", "raw", {.op_ns = 10'000});
  options_.precision = 0.01;
  EXPECT_EQ(measure().plan.reason, ended_by::budget);
}

}  // namespace
}  // namespace bench
