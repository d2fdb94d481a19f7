#include "bench/replication.hpp"

#include "bench/compare.hpp"

#include "tests/bench/made_cells.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bench {
namespace {

/// One process: 32 rows of raw and driver in two connection sets, the driver `ratio` times as slow.
result process(double ratio) {
  result made;
  made.cells = {made_cell("raw", "tcp0", "raw", wandering(10'000, 32, 0.01)),
                made_cell("again", "tcp0", "raw", wandering(10'000, 32, 0.01)),
                made_cell("driver", "driver", "libmongoc", wandering(10'000 * ratio, 32, 0.01))};
  made.plan.ops.push_back({.op = "mongo.ping",
                           .groups = {{{"raw", "again", "driver"}, 10}},
                           .rows = 32,
                           .budget_s = 3,
                           .elapsed_s = 2.5});
  return made;
}

result processes(const std::vector<double>& ratios) {
  result whole;
  for (const auto ratio : ratios) EXPECT_TRUE(append_process(whole, process(ratio)).ok());
  return whole;
}

const comparison& overhead_of(const std::vector<comparison>& pairs) {
  return *std::find_if(pairs.begin(), pairs.end(),
                       [](const comparison& pair) { return pair.asks == question::overhead; });
}

TEST(Replication, CountsRowsSetsAndProcessesOn) {
  const auto whole = processes({1.5, 1.6, 1.7});
  ASSERT_EQ(whole.cells.size(), 3u);
  const auto& rounds = whole.cells[2].rounds;
  ASSERT_EQ(rounds.size(), 96u);
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    EXPECT_EQ(rounds[i].row, i);
    EXPECT_EQ(rounds[i].process, i / 32);
    EXPECT_EQ(rounds[i].connection_set, i / 16);
  }
  ASSERT_EQ(whole.plan.ops.size(), 1u);
  const auto& op = whole.plan.ops[0];
  EXPECT_EQ(op.rows, 96u);
  EXPECT_EQ(op.processes, 3u);
  EXPECT_EQ(op.budget_s, 9);
  EXPECT_EQ(op.elapsed_s, 7.5);
  EXPECT_TRUE(op.balanced);
}

TEST(Replication, RefusesOtherRowGroups) {
  auto whole = processes({1.5});
  auto other = process(1.5);
  other.plan.ops[0].groups = {{{"raw", "again"}, 10}, {{"driver", "raw"}, 1}};
  EXPECT_FALSE(append_process(whole, other).ok());
  EXPECT_EQ(whole.cells[0].rounds.size(), 32u);
  EXPECT_EQ(whole.plan.ops[0].processes, 1u);
}

TEST(Replication, AddsAnOpThatIsNew) {
  auto whole = processes({1.5});
  auto other = process(1.5);
  other.plan.ops[0].op = "mongo.find";
  for (auto& one : other.cells) {
    one.what.op = "mongo.find";
    one.what.id += "/find";
  }
  ASSERT_TRUE(append_process(whole, other).ok());
  EXPECT_EQ(whole.cells.size(), 6u);
  EXPECT_EQ(whole.plan.ops.size(), 2u);
  EXPECT_EQ(whole.cells[5].rounds[0].process, 0u);
}

/// Three comparisons need ceil(log2(2 * 2 / 0.05)) = 7 processes: raw again, and the driver over raw.
TEST(Replication, TakesMediansOfProcessesWhereThereAreEnough) {
  const std::vector<double> ratios{1.50, 1.52, 1.54, 1.56, 1.58, 1.60, 1.62};
  const auto whole = processes(ratios);
  const auto overhead = overhead_of(compare(whole.cells, 0.02));
  EXPECT_TRUE(overhead.by_process);
  EXPECT_FALSE(overhead.by_connection_set);
  EXPECT_EQ(overhead.rows, 224u);
  EXPECT_NEAR(*overhead.ratio, 1.56, 1e-3);
  EXPECT_NEAR(*overhead.lo, 1.50, 1e-3);  // 7 values at 95 %: the full range
  EXPECT_NEAR(*overhead.hi, 1.62, 1e-3);
  EXPECT_EQ(overhead.says, verdict::slower);
}

TEST(Replication, OfTooFewProcessesIsOneLayout) {
  const auto whole = processes({1.50, 1.52, 1.54, 1.56, 1.58, 1.60});
  const auto overhead = overhead_of(compare(whole.cells, 0.02));
  EXPECT_FALSE(overhead.by_process);
  EXPECT_TRUE(overhead.lo);
}

}  // namespace
}  // namespace bench
