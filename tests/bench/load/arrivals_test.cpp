#include "bench/load/arrivals.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bench::load {
namespace {

std::vector<std::int64_t> first(arrivals& from, int count) {
  std::vector<std::int64_t> taken;
  for (int i = 0; i < count; ++i) taken.push_back(from.take());
  return taken;
}

TEST(arrivals, fixed_ones_have_equal_gaps) {
  arrivals schedule(spacing::fixed, 1000, 1);
  schedule.begin(5'000'000'000);
  EXPECT_EQ(first(schedule, 4),
            (std::vector<std::int64_t>{5'000'000'000, 5'001'000'000, 5'002'000'000, 5'003'000'000}));
}

// A third of a second has no end in binary: gaps that were added up would drift.
TEST(arrivals, fixed_ones_do_not_drift) {
  arrivals schedule(spacing::fixed, 3, 1);
  schedule.begin(0);
  EXPECT_EQ(first(schedule, 3'000'001).back(), 1'000'000'000'000'000);
}

TEST(arrivals, poisson_ones_follow_the_seed) {
  arrivals one(spacing::poisson, 1000, 7), same(spacing::poisson, 1000, 7), other(spacing::poisson, 1000, 8);
  const auto taken = first(one, 100);
  EXPECT_EQ(taken, first(same, 100));
  EXPECT_NE(taken, first(other, 100));
}

// 100,000 exponential gaps of mean 1 ms: their sum has a standard deviation of sqrt(100,000) ms = 316 ms, and a gap is longer
// than its mean with probability 1/e = 0.36788, standard deviation of the count sqrt(100,000 * 0.368 * 0.632) = 152.
TEST(arrivals, poisson_gaps_are_exponential) {
  arrivals schedule(spacing::poisson, 1000, 1);
  schedule.begin(0);
  std::int64_t last = 0;
  int longer = 0;
  for (const auto at : first(schedule, 100'000)) {
    EXPECT_GE(at, last);
    longer += at - last > 1'000'000 ? 1 : 0;
    last = at;
  }
  EXPECT_NEAR(static_cast<double>(last), 100e9, 6 * 316e6);
  EXPECT_NEAR(longer, 36'788, 6 * 152);
}

TEST(arrivals, what_nobody_has_taken_is_counted) {
  arrivals schedule(spacing::fixed, 1000, 1);
  schedule.begin(0);
  first(schedule, 4);                                               // 0 to 3 ms
  EXPECT_EQ(schedule.take_all_between(6'000'000, 10'000'000), 4U);  // 6 to 9 ms
  EXPECT_EQ(schedule.take_all_between(0, 10'000'000), 0U);
  EXPECT_EQ(schedule.take(), 10'000'000);
}

TEST(arrivals, fixed_ones_are_counted_to_the_last_one) {
  for (const auto& [end_ns, count] : {std::pair{999'999'999, 3U}, {1'000'000'000, 3U}, {1'000'000'001, 4U}}) {
    arrivals schedule(spacing::fixed, 3, 1);  // 0, 333,333,333.3, 666,666,666.7, 1,000,000,000
    schedule.begin(0);
    EXPECT_EQ(schedule.take_all_between(0, end_ns), count) << end_ns;
  }
}

/// 10^8 a second for a year, which no walk gets through. The number of Poisson arrivals has a standard deviation of its root.
TEST(arrivals, very_many_are_counted_without_a_walk) {
  constexpr std::int64_t year_ns = 31'536'000'000'000'000;
  constexpr double expected = 3'153.6e12;
  for (const auto how : {spacing::fixed, spacing::poisson}) {
    arrivals schedule(how, 1e8, 1);
    schedule.begin(5);
    EXPECT_NEAR(static_cast<double>(schedule.take_all_between(5, year_ns + 5)), expected, 1e8);
    EXPECT_GE(schedule.take(), year_ns + 5);
  }
}

TEST(arrivals, few_poisson_ones_are_counted_one_by_one) {
  arrivals one(spacing::poisson, 1000, 7), same(spacing::poisson, 1000, 7);
  std::uint64_t count = 0;
  for (std::int64_t at = one.take(); at < 2'000'000'000; at = one.take())
    count += at >= 1'000'000'000 ? 1 : 0;
  EXPECT_EQ(same.take_all_between(1'000'000'000, 2'000'000'000), count);
  EXPECT_EQ(same.take_all_between(1'000'000'000, 2'000'000'000), 0U);
}

}  // namespace
}  // namespace bench::load
