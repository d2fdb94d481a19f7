#include "bench/percentiles.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

constexpr std::uint32_t p50 = 500'000, p99 = 990'000, p999 = 999'000;

// Bin(10, 1/2): P(X <= 1) = 11/1024, P(X <= 2) = 56/1024 is above 0.025; P(X <= 8) = 1013/1024, P(X <= 7) = 968/1024 is
// below 0.975. Ranks 2 and 9, as the sign interval has them.
TEST(PercentileRanks, AreHandWorkedForTen) {
  const auto ranks = percentile_ranks(10, p50);
  ASSERT_TRUE(ranks);
  EXPECT_EQ(ranks->lower, 2U);
  EXPECT_EQ(ranks->upper, 9U);
  EXPECT_NEAR(ranks->coverage, 1002.0 / 1024, 1e-12);
}

// 0.99^100 = 0.366: all hundred lie below p99 far too often for any of them to be its upper end. At 368 ops 0.99^368 = 0.0248.
TEST(PercentileRanks, DoNotExistForTooFew) {
  EXPECT_FALSE(percentile_ranks(0, p50));
  EXPECT_FALSE(percentile_ranks(5, p50));
  EXPECT_FALSE(percentile_ranks(100, p99));
  EXPECT_FALSE(percentile_ranks(367, p99));
  ASSERT_TRUE(percentile_ranks(368, p99));
  EXPECT_EQ(percentile_ranks(368, p99)->upper, 368U);
  EXPECT_FALSE(percentile_ranks(1000, 0));
}

TEST(PercentileRanks, HoldTheirLevelForMany) {
  for (const std::uint64_t n : {1'000ULL, 123'457ULL, 2'000'000'000ULL}) {
    for (const auto p : {p50, p99, 10'000U}) {
      const auto ranks = percentile_ranks(n, p);
      ASSERT_TRUE(ranks);
      EXPECT_GE(ranks->coverage, 0.95);
      EXPECT_LT(ranks->coverage, 0.98) << n;
      const auto middle = n / 1'000'000.0 * p;
      EXPECT_LT(static_cast<double>(ranks->lower), middle);
      EXPECT_GT(static_cast<double>(ranks->upper), middle);
    }
  }
}

TEST(OpsMissing, AreThoseUntilTenLieAbove) {
  EXPECT_EQ(ops_missing(0, p999), 10'000U);
  EXPECT_EQ(ops_missing(9'999, p999), 1U);
  EXPECT_EQ(ops_missing(10'000, p999), 0U);
  EXPECT_EQ(ops_missing(3, p99), 997U);
  EXPECT_EQ(ops_missing(20, p50), 0U);
  EXPECT_EQ(ops_missing(0, 333'333), 15U);  // 10 / 0.666667 = 14.99999
}

TEST(PercentileOf, AnswersForAnyNumberAndSaysWhatIsMissing) {
  histogram three;
  for (const auto value : {10, 20, 30}) three.record(value);
  const auto found = percentile_of(three, p99);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, (latency{30, false}));
  EXPECT_EQ(found->ops_missing, 997U);
  EXPECT_FALSE(found->lo || found->hi);
  EXPECT_FALSE(percentile_of(histogram(), p99));
}

TEST(PercentileOf, GivesTheValuesOfBothRanks) {
  histogram latencies;
  for (int i = 1; i <= 100; ++i) latencies.record(i);
  const auto found = percentile_of(latencies, p50);
  ASSERT_TRUE(found && found->lo && found->hi);
  EXPECT_EQ(found->value.value_ns, 50);
  EXPECT_EQ(found->lo->value_ns, 40);  // Bin(100, 1/2): P(X <= 39) = 0.0176, P(X <= 40) = 0.0284
  EXPECT_EQ(found->hi->value_ns, 61);  // P(X <= 59) = 0.9716, P(X <= 60) = 0.9824
  EXPECT_EQ(found->ops_missing, 0U);
}

TEST(PercentileOf, SaysAtLeastWhereTheHistogramEnds) {
  histogram latencies(1'000);
  for (int i = 1; i <= 60; ++i) latencies.record(i);
  for (int i = 1; i <= 40; ++i) latencies.record(5'000);
  const auto found = percentile_of(latencies, p50);
  EXPECT_EQ(found->value, (latency{50, false}));
  EXPECT_EQ(found->hi, (latency{1'000, true}));
}

}  // namespace
}  // namespace bench
