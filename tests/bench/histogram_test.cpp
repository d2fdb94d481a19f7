#include "bench/histogram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace bench {
namespace {

constexpr std::uint32_t p50 = 500'000, p95 = 950'000, p99 = 990'000, p999 = 999'000;

histogram of(const std::vector<std::int64_t>& values, std::int64_t limit_ns = histogram::one_hour_ns) {
  histogram made(limit_ns);
  for (const auto value : values) made.record(value);
  return made;
}

latency exact(std::int64_t value_ns) {
  return {.value_ns = value_ns, .at_least = false};
}

TEST(Histogram, AnswersByNearestRank) {
  const auto three = of({10, 20, 30});
  EXPECT_EQ(three.percentile(p99), exact(30));
  EXPECT_EQ(three.percentile(p50), exact(20));
  EXPECT_EQ(three.percentile(0), exact(10));

  histogram hundred;
  for (int i = 1; i <= 100; ++i) hundred.record(i);
  EXPECT_EQ(hundred.percentile(p50), exact(50));
  EXPECT_EQ(hundred.percentile(p95), exact(95));
  EXPECT_EQ(hundred.percentile(p99), exact(99));
  EXPECT_EQ(hundred.percentile(p999), exact(100));
  EXPECT_EQ(hundred.percentile(70'000), exact(7));  // 0.07 * 100 is above 7 in binary floating point

  const auto one = of({7});
  for (const auto p : {0U, p50, p99, 1'000'000U}) EXPECT_EQ(one.percentile(p), exact(7));

  histogram equal;
  for (int i = 0; i < 10'000; ++i) equal.record(123'456'789);
  for (const auto p : {p50, p99, p999}) EXPECT_EQ(equal.percentile(p), exact(123'456'789));
}

TEST(Histogram, OfNothingHasNoFigures) {
  const histogram empty;
  EXPECT_EQ(empty.count(), 0U);
  EXPECT_EQ(empty.percentile(p99), std::nullopt);
  EXPECT_EQ(empty.at_rank(1), std::nullopt);
  EXPECT_EQ(empty.min_ns(), std::nullopt);
  EXPECT_EQ(empty.max_ns(), std::nullopt);
  EXPECT_EQ(empty.mean_ns(), std::nullopt);
  EXPECT_TRUE(empty.buckets().empty());
}

// 2047 is the last value with a bucket of its own; 4096 / 4 = 1024, so 4096..4099 share one.
TEST(Histogram, KeepsThreeDigits) {
  const auto made = of({2047, 2048, 2049, 4096, 4099, 1'000'000});
  const auto buckets = made.buckets();
  ASSERT_EQ(buckets.size(), 4U);
  EXPECT_EQ(buckets[0].first_ns, 2047);
  EXPECT_EQ(buckets[0].last_ns, 2047);
  EXPECT_EQ(buckets[1].first_ns, 2048);
  EXPECT_EQ(buckets[1].last_ns, 2049);
  EXPECT_EQ(buckets[1].count, 2U);
  EXPECT_EQ(buckets[2].first_ns, 4096);
  EXPECT_EQ(buckets[2].last_ns, 4099);
  // 2^19 <= 10^6 < 2^20: buckets of 2^9. 10^6 / 512 = 1953.1, so 1953 * 512 = 999,936.
  EXPECT_EQ(buckets[3].first_ns, 999'936);
  EXPECT_EQ(buckets[3].last_ns, 1'000'447);
}

TEST(Histogram, IsNeverBelowTheValueAndAtMostAThousandthAbove) {
  histogram made;
  for (std::int64_t value = 1; value <= histogram::one_hour_ns; value += 1 + value / 3) {
    made.clear();
    made.record(value);
    made.record(histogram::one_hour_ns);  // so that the exact maximum does not hide the bucket
    const auto read = made.at_rank(1);
    ASSERT_TRUE(read);
    EXPECT_GE(read->value_ns, value);
    EXPECT_LE(static_cast<double>(read->value_ns - value), 0.001 * static_cast<double>(value));
  }
}

TEST(Histogram, CountsWhatDoesNotFitAndKeepsItsExactMaximum) {
  const auto made = of({-1, 5, 1000, 1001, 777'777, std::numeric_limits<std::int64_t>::min()}, 1000);
  EXPECT_EQ(made.recorded(), 2U);
  EXPECT_EQ(made.overflow(), 2U);
  EXPECT_EQ(made.negative(), 2U);
  EXPECT_EQ(made.count(), 4U);
  EXPECT_EQ(made.min_ns(), 5);
  EXPECT_EQ(made.max_ns(), 777'777);
  EXPECT_EQ(made.at_rank(2), exact(1000));
  EXPECT_EQ(made.at_rank(3), (latency{.value_ns = 1000, .at_least = true}));
  EXPECT_EQ(made.at_rank(4), exact(777'777));  // the last rank is known exactly
  EXPECT_EQ(made.at_rank(5), std::nullopt);
  EXPECT_TRUE(made.sum_ns() == 5 + 1000 + 1001 + 777'777);
  EXPECT_EQ(made.mean_ns(), (5 + 1000 + 1001 + 777'777) / 4.0);
}

TEST(Histogram, DeviatesFromTheMeanOfAllValues) {
  EXPECT_EQ(of({}).stddev_ns(), std::nullopt);
  EXPECT_DOUBLE_EQ(of({1, 3}).stddev_ns().value(), 1);
  // mean 4098; 4096..4099 and 4100..4103 share a bucket each, whose middles are 0.5 below it and 3.5 above
  EXPECT_DOUBLE_EQ(of({4096, 4100}).stddev_ns().value(), 2.5);
  // mean 4, which 1 and 3 miss by 3 and 1; 8 is in no bucket
  EXPECT_DOUBLE_EQ(of({1, 3, 8}, 5).stddev_ns().value(), std::sqrt(5));
  EXPECT_EQ(of({8}, 5).stddev_ns(), std::nullopt);
}

// Limit 2^62: 1024..2047 x 2^52 are the last buckets, and the last of them ends at 2^63 - 1.
TEST(Histogram, HasBucketsUpToTheLargestNumber) {
  constexpr std::int64_t limit = std::int64_t{1} << 62;
  std::vector<std::uint64_t> counts(histogram::size_for(limit));
  counts.back() = 1;
  const auto made = histogram::of_counts(limit, counts);
  EXPECT_EQ(made.min_ns(), std::int64_t{2047} << 52);
  EXPECT_EQ(made.max_ns(), std::numeric_limits<std::int64_t>::max());
}

TEST(Histogram, SumsBeyondSixtyFourBits) {
  const auto made = of({std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max(),
                        std::numeric_limits<std::int64_t>::max()});
  EXPECT_EQ(made.overflow(), 3U);
  EXPECT_TRUE(made.sum_ns() == histogram::wide{3} * std::numeric_limits<std::int64_t>::max());
}

TEST(Histogram, MergedEqualsAllValuesInOne) {
  auto left = of({1, 5000, 70'000, -1}, 60'000);
  const auto right = of({2, 5001, 90'000}, 60'000);
  left.merge(right);
  EXPECT_EQ(left.recorded(), 4U);
  EXPECT_EQ(left.overflow(), 2U);
  EXPECT_EQ(left.negative(), 1U);
  EXPECT_EQ(left.min_ns(), 1);
  EXPECT_EQ(left.max_ns(), 90'000);
  EXPECT_EQ(left.at_rank(2), exact(2));
  EXPECT_EQ(left.at_rank(4), exact(5003));  // 5000..5003 share a bucket
  EXPECT_TRUE(left.sum_ns() == 1 + 5000 + 70'000 + 2 + 5001 + 90'000);
}

TEST(Histogram, ClearedIsAsNew) {
  auto made = of({1, 2, 5000, -3}, 4000);
  made.clear();
  EXPECT_EQ(made.count() + made.negative(), 0U);
  EXPECT_EQ(made.max_ns(), std::nullopt);
  made.record(9);
  EXPECT_EQ(made.min_ns(), 9);
  EXPECT_EQ(made.max_ns(), 9);
  EXPECT_EQ(made.buckets().size(), 1U);
}

TEST(Histogram, HoldsTheLargestLimit) {
  constexpr std::int64_t limit = std::int64_t{1} << 62;
  const auto made = of({limit, limit + 1}, limit);
  EXPECT_EQ(made.recorded(), 1U);
  EXPECT_EQ(made.overflow(), 1U);
  EXPECT_EQ(made.buckets()[0].first_ns, limit);
}

}  // namespace
}  // namespace bench
