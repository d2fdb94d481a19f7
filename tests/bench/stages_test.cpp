#include "bench/stages.hpp"

#include "tests/bench/fake_clock.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

/// A ledger whose moments are told as absolute times.
class StageLedger : public ::testing::Test {
 protected:
  void SetUp() override { fake_ns = 0; }

  template <typename Moment>
  void at(std::int64_t ns, Moment moment) {
    fake_ns = ns;
    moment();
  }
  std::int64_t ns(stage which) const { return ledger_.totals().ns[static_cast<std::size_t>(which)]; }
  std::uint64_t intervals(stage which) const { return ledger_.totals().intervals_of(which); }

  stage_ledger ledger_{fake_clock};
};

TEST_F(StageLedger, DividesAStopAndWaitOp) {
  at(100, [&] { ledger_.begin_round(); });
  at(130, [&] { ledger_.before_write(); });
  at(190, [&] { ledger_.after_write(); });
  at(195, [&] { ledger_.before_read(); });  // at once: part of the wait, and no stamp
  at(400, [&] { ledger_.after_read(45); });
  at(450, [&] { ledger_.end_op(); });
  EXPECT_EQ(ns(stage::encode), 30);
  EXPECT_EQ(ns(stage::send), 60);
  EXPECT_EQ(ns(stage::wait), 210);
  EXPECT_EQ(ns(stage::recv), 0);
  EXPECT_EQ(ns(stage::decode), 50);
  EXPECT_EQ(intervals(stage::recv), 0u);
  EXPECT_EQ(intervals(stage::decode), 1u);
  EXPECT_EQ(ledger_.totals().window_ns, 400 - 130);  // from entry into the write to the first byte
  EXPECT_EQ(ledger_.totals().windows, 1u);
}

// A large request that the kernel takes in two parts, a reply that comes in two.
TEST_F(StageLedger, TakesPartsTogether) {
  at(0, [&] { ledger_.begin_round(); });
  at(10, [&] { ledger_.before_write(); });
  at(30, [&] { ledger_.after_write(); });
  at(80, [&] { ledger_.after_poll(); });
  at(90, [&] { ledger_.before_write(); });
  at(100, [&] { ledger_.after_write(); });
  at(105, [&] { ledger_.before_read(); });
  at(300, [&] { ledger_.after_read(10); });
  at(310, [&] { ledger_.before_read(); });
  at(350, [&] { ledger_.after_read(20); });
  at(360, [&] { ledger_.end_op(); });
  EXPECT_EQ(ns(stage::encode), 10 + 10);  // and the way back from poll to the second write
  EXPECT_EQ(ns(stage::send), 20 + 50 + 10);
  EXPECT_EQ(ns(stage::wait), 200);
  EXPECT_EQ(ns(stage::recv), 40);
  EXPECT_EQ(ns(stage::decode), 10 + 10);
  EXPECT_EQ(ledger_.totals().window_ns, 300 - 90);  // from the last write
}

TEST_F(StageLedger, LosesNothing) {
  at(0, [&] { ledger_.begin_round(); });
  for (int op = 0; op < 10; ++op) {
    const std::int64_t from = 1'000 * op;
    at(from + 7, [&] { ledger_.before_write(); });
    at(from + 19, [&] { ledger_.after_write(); });
    at(from + 20, [&] { ledger_.before_read(); });
    at(from + 900, [&] { ledger_.after_read(1); });
    at(from + 1'000, [&] { ledger_.end_op(); });
  }
  std::int64_t sum = 0;
  for (const auto one : all_stages) sum += ns(one);
  EXPECT_EQ(sum, 10'000);
  EXPECT_EQ(intervals(stage::encode), 10u);
}

TEST_F(StageLedger, SleepsOutsideOfRounds) {
  at(10, [&] { ledger_.before_write(); });
  at(20, [&] { ledger_.after_write(); });
  at(30, [&] { ledger_.after_read(9); });
  at(40, [&] { ledger_.begin_round(); });
  at(50, [&] { ledger_.end_op(); });
  ledger_.end_round();
  at(60, [&] { ledger_.before_write(); });
  EXPECT_EQ(ns(stage::send), 0);
  EXPECT_EQ(ns(stage::decode), 10);
}

TEST(StageTimes, OfARoundAreADifference) {
  stage_times before, after;
  before.ns[0] = 5;
  before.intervals[0] = 1;
  before.window_ns = 3;
  after.ns[0] = 9;
  after.intervals[0] = 4;
  after.window_ns = 10;
  const auto between = after - before;
  EXPECT_EQ(between.ns[0], 4);
  EXPECT_EQ(between.intervals[0], 3u);
  EXPECT_EQ(between.window_ns, 7);
}

}  // namespace
}  // namespace bench
