#include "bench/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bench {
namespace {

/// A log ratio from the ratio and its interval.
estimate ratio(double value, double lo, double hi) {
  return {std::log(value), interval{std::log(lo), std::log(hi), 0.97}};
}

constexpr double quiet = 0.003;  // an A/A floor
constexpr double two_percent = 0.02;

TEST(Verdict, IsFasterOrSlowerWhenTheIntervalExcludesOne) {
  EXPECT_EQ(judge(ratio(1.5, 1.4, 1.6), quiet, false, two_percent), verdict::slower);
  EXPECT_EQ(judge(ratio(0.8, 0.7, 0.9), quiet, false, two_percent), verdict::faster);
  EXPECT_EQ(judge(ratio(1.5, 0.9, 1.6), quiet, false, two_percent), verdict::inconclusive);
}

TEST(Verdict, IsEquivalentInsideTheThresholdEvenWhenOneIsExcluded) {
  EXPECT_EQ(judge(ratio(1.01, 1.005, 1.015), quiet, false, two_percent), verdict::equivalent);
  EXPECT_EQ(judge(ratio(1.01, 1.005, 1.025), quiet, false, two_percent), verdict::slower);
  EXPECT_EQ(judge(ratio(1.0, 0.985, 1.015), quiet, false, two_percent), verdict::equivalent);
  EXPECT_EQ(judge(ratio(1.0, 0.975, 1.015), quiet, false, two_percent), verdict::inconclusive);
}

TEST(Verdict, IsInconclusiveBelowTheFloorOfTheRun) {
  EXPECT_EQ(judge(ratio(1.05, 1.04, 1.06), 0.08, false, two_percent), verdict::inconclusive);
  EXPECT_EQ(judge(ratio(1.0, 0.99, 1.01), 0.08, false, two_percent), verdict::inconclusive);
}

TEST(Verdict, IsInconclusiveWithoutIntervalOrFloorAndForTwoModes) {
  EXPECT_EQ(judge({0.5, std::nullopt}, quiet, false, two_percent), verdict::inconclusive);
  EXPECT_EQ(judge(ratio(1.5, 1.4, 1.6), std::nullopt, false, two_percent), verdict::inconclusive);
  EXPECT_EQ(judge(ratio(1.5, 1.4, 1.6), quiet, true, two_percent), verdict::inconclusive);
}

TEST(Verdict, FollowsTheThreshold) {
  EXPECT_EQ(judge(ratio(1.05, 1.04, 1.06), quiet, false, 0.02), verdict::slower);
  EXPECT_EQ(judge(ratio(1.05, 1.04, 1.06), quiet, false, 0.10), verdict::equivalent);
}

}  // namespace
}  // namespace bench
