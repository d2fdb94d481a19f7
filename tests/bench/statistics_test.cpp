#include "bench/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace bench {
namespace {

std::vector<double> counting(double first, double last) {
  std::vector<double> values(static_cast<std::size_t>(last - first) + 1);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST(Median, IsTheMiddleValueOrTheMeanOfTheTwoMiddleOnes) {
  EXPECT_EQ(median(std::vector{3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median(std::vector{4.0, 1.0, 2.0, 3.0}), 2.5);
  EXPECT_EQ(median(std::vector{7.0}), 7.0);
}

// P(Bin(24, 1/2) <= 6) = 190,051 / 2^24 = 0.01133; one rank further in it is 0.03196, above 0.025.
TEST(SignRank, IsSevenOfTwentyFourRows) {
  EXPECT_EQ(sign_rank(24), 7u);
  EXPECT_NEAR(sign_coverage(24, 7), 0.9773, 0.00005);
}

// n = 6: P(X <= 0) = 1/64 = 0.0156 <= 0.025.  n = 10: P(X <= 1) = 11/1024 = 0.0107, P(X <= 2) = 56/1024.
TEST(SignRank, HandWorkedSmallSamples) {
  EXPECT_EQ(sign_rank(6), 1u);
  EXPECT_NEAR(sign_coverage(6, 1), 1 - 2.0 / 64, 1e-12);
  EXPECT_EQ(sign_rank(10), 2u);
  EXPECT_NEAR(sign_coverage(10, 2), 1 - 22.0 / 1024, 1e-12);
  EXPECT_EQ(sign_rank(10, 5), 1u);  // 0.0107 is above 0.05 / 10
}

TEST(SignRank, DoesNotExistBelowTheRowsNeeded) {
  EXPECT_EQ(sign_rank(5), std::nullopt);
  EXPECT_EQ(sign_rank(7, 5), std::nullopt);
  EXPECT_EQ(sign_rank(8, 5), 1u);
  EXPECT_EQ(sign_rank(0), std::nullopt);
}

TEST(SignRank, HoldsItsLevelAndNoMoreForManyRows) {
  for (std::size_t n = 6; n < 600; n += 7) {
    const auto k = sign_rank(n);
    ASSERT_TRUE(k);
    EXPECT_GE(sign_coverage(n, *k), 0.95) << n;
    EXPECT_LT(sign_coverage(n, *k + 1), 0.95) << n;
  }
}

TEST(RowsNeeded, FollowsTheTableOfTheMethod) {
  EXPECT_EQ(rows_needed(1), 6u);
  EXPECT_EQ(rows_needed(5), 8u);
  EXPECT_EQ(rows_needed(10), 9u);
  EXPECT_EQ(rows_needed(20), 10u);
  EXPECT_EQ(rows_needed(50), 11u);
}

TEST(EstimateMedian, TakesRanksSevenAndEighteenOfTwentyFour) {
  const auto of = estimate_median(counting(1, 24));
  ASSERT_TRUE(of && of->range);
  EXPECT_EQ(of->value, 12.5);
  EXPECT_EQ(of->range->lo, 7.0);
  EXPECT_EQ(of->range->hi, 18.0);
  EXPECT_NEAR(of->range->coverage, 0.9773, 0.00005);
}

TEST(EstimateMedian, IsWiderWhenMoreComparisonsAreJudgedTogether) {
  const auto of = estimate_median(counting(1, 24), 10);  // P(X <= 4) = 0.00077 <= 0.0025, P(X <= 5) = 0.0033
  ASSERT_TRUE(of && of->range);
  EXPECT_EQ(of->range->lo, 5.0);
  EXPECT_EQ(of->range->hi, 20.0);
}

TEST(EstimateMedian, HasNoIntervalForFewValuesAndNothingForNone) {
  const auto few = estimate_median(counting(1, 5));
  ASSERT_TRUE(few);
  EXPECT_EQ(few->value, 3.0);
  EXPECT_FALSE(few->range);
  EXPECT_FALSE(estimate_median({}));
}

TEST(PairedRows, AreComparedRowByRow) {
  const std::vector a{10.0, 20.0, 40.0}, b{20.0, 30.0, 40.0}, floor{5.0, 10.0, 8.0};
  EXPECT_EQ(differences(a, b), (std::vector{10.0, 10.0, 0.0}));
  EXPECT_EQ(floor_units(a, b, floor), (std::vector{2.0, 1.0, 0.0}));
  const auto d = log_ratios(a, b);
  EXPECT_DOUBLE_EQ(std::exp(d[0]), 2.0);
  EXPECT_DOUBLE_EQ(std::exp(d[1]), 1.5);
  EXPECT_DOUBLE_EQ(std::exp(d[2]), 1.0);
}

TEST(SetMedians, FollowTheConnectionSets) {
  const std::vector values{1.0, 2.0, 9.0, 4.0, 6.0, 7.0, 9.0};
  const std::vector<std::uint64_t> sets{0, 0, 0, 1, 1, 2, 2};
  EXPECT_EQ(set_medians(values, sets), (std::vector{2.0, 5.0, 8.0}));
  EXPECT_TRUE(set_medians({}, {}).empty());
}

TEST(SetMedians, LeavesOutALastSetThatTheEndHasCut) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 100};
  const std::vector<std::uint64_t> sets{0, 0, 0, 1, 1, 1, 2};
  EXPECT_EQ(set_medians(values, sets), (std::vector{2.0, 5.0}));
}

TEST(EffectiveSize, IsSmallWhenSetsDifferMoreThanTheirRows) {
  const std::vector<std::uint64_t> sets{0, 0, 0, 1, 1, 1, 2, 2, 2};
  // Means 1, 2, 3: variance 1; all nine: sum of squares 6 over 8; 9 * 0.75 / (3 * 1).
  EXPECT_DOUBLE_EQ(effective_size(std::vector{1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0}, sets), 2.25);
  // Equal means: worth all of them.
  EXPECT_DOUBLE_EQ(effective_size(std::vector{1.0, 2.0, 3.0, 3.0, 1.0, 2.0, 2.0, 3.0, 1.0}, sets), 9);
  EXPECT_DOUBLE_EQ(effective_size(std::vector{1.0, 2.0}, std::vector<std::uint64_t>{0, 0}), 2);
}

// Sixteen values, 0 0 1 1 0 0 1 1 ...: variance 16/15 * 1/4. The eight batches of two have the means 0 1 0 1 ... with variance
// 8/7 * 1/4, so the values are worth 16 * (16/15) / (2 * 8/7) = 7.4667.
TEST(EffectiveSize, OfNeighboursThatHangTogetherIsFoundByBatches) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 16; ++i) values.push_back(static_cast<double>(i / 2 % 2));
  EXPECT_NEAR(effective_size(values), 16 * (16.0 / 15) / (2 * 8.0 / 7), 1e-9);
  values.pop_back();  // seven batches of two are too few
  EXPECT_EQ(effective_size(values), 15);
  EXPECT_EQ(effective_size(std::vector<double>(64, 3.0)), 64);
}

// Case C37: a rank computed in floating point gave the median for p99 of three.
TEST(NearestRank, IsExactForSmallSamples) {
  const std::vector<std::int64_t> three{10, 20, 30};
  EXPECT_EQ(nearest_rank(three, 990'000), 30);
  EXPECT_EQ(nearest_rank(three, 500'000), 20);
  EXPECT_EQ(nearest_rank(three, 400'000), 20);  // rank 1.2 is rounded up, not to the nearest
  EXPECT_EQ(nearest_rank(three, 0), 10);
  const std::vector<std::int64_t> one{7};
  EXPECT_EQ(nearest_rank(one, 0), 7);
  EXPECT_EQ(nearest_rank(one, 1'000'000), 7);
  EXPECT_EQ(nearest_rank({}, 500'000), std::nullopt);
}

TEST(NearestRank, IsExactForOneToAHundred) {
  std::vector<std::int64_t> hundred(100);
  std::iota(hundred.begin(), hundred.end(), 1);
  EXPECT_EQ(nearest_rank(hundred, 70'000), 7);  // 0.07 * 100 is above 7 in floating point
  EXPECT_EQ(nearest_rank(hundred, 500'000), 50);
  EXPECT_EQ(nearest_rank(hundred, 950'000), 95);
  EXPECT_EQ(nearest_rank(hundred, 990'000), 99);
  EXPECT_EQ(nearest_rank(hundred, 999'000), 100);
}

TEST(TwoModes, FindsBothAndTheirShares) {
  const auto found = two_modes(std::vector{10.0, 50.0, 10.1, 9.9, 51.0, 10.0, 10.2, 49.0});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->lower, 10.0);
  EXPECT_EQ(found->upper, 50.0);
  EXPECT_EQ(found->upper_share, 3.0 / 8);
}

TEST(TwoModes, SeesNoneInOneClusterOrInASpread) {
  EXPECT_FALSE(two_modes(std::vector{10.0, 10.1, 9.9, 10.0, 10.2, 9.8}));
  EXPECT_FALSE(two_modes(std::vector{10.0, 10.0, 12.9, 12.9}));  // medians within 1.3
  EXPECT_FALSE(two_modes(std::vector{10.0, 10.0, 10.0, 50.0}));  // a single round is an outlier
  EXPECT_FALSE(two_modes(std::vector{10.0, 13.0, 17.0, 22.0, 29.0, 37.0, 48.0, 63.0}));  // evenly spread
  EXPECT_FALSE(two_modes(std::vector{10.0, 10.0, 10.0, 10.0}));
  EXPECT_FALSE(two_modes({}));
  std::vector<double> disturbed(54, 14.0);
  for (std::size_t i = 0; i < disturbed.size(); ++i) disturbed[i] += 0.001 * static_cast<double>(i);
  disturbed[3] = disturbed[40] = 28.7;
  EXPECT_FALSE(two_modes(disturbed));  // 4 % of the rounds
}

}  // namespace
}  // namespace bench
