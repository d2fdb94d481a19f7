#include "bench/ministat.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bench {
namespace {

// {1,2,3}: average 2, deviation 1. {4,5,9}: 6 and sqrt((4 + 1 + 9) / 2). Pooled sqrt((2 * 1 + 2 * 7) / 4) = 2. Student's t
// of 4 degrees at 97.5 % is 2.776445, so the half-width is 2.776445 * 2 * sqrt(2/3) = 4.533916.
TEST(Ministat, IsHandWorked) {
  const auto block = compare_as_ministat(std::vector{3.0, 1.0, 2.0}, std::vector{4.0, 9.0, 5.0});
  ASSERT_TRUE(block);
  EXPECT_EQ(block->a.n, 3U);
  EXPECT_EQ(block->a.min, 1);
  EXPECT_EQ(block->a.max, 3);
  EXPECT_EQ(block->b.median, 5);
  EXPECT_EQ(block->b.average, 6);
  EXPECT_DOUBLE_EQ(block->a.stddev, 1);
  EXPECT_DOUBLE_EQ(block->b.stddev, std::sqrt(7));
  EXPECT_DOUBLE_EQ(block->pooled_stddev, 2);
  EXPECT_EQ(block->difference, 4);
  EXPECT_NEAR(block->plus_minus, 4.533916, 1e-6);
  EXPECT_FALSE(block->proven);
}

TEST(Ministat, ProvesADifferenceBeyondItsHalfWidth) {
  const auto block = compare_as_ministat(std::vector{1.0, 2.0, 3.0}, std::vector{7.0, 8.0, 12.0});
  ASSERT_TRUE(block && block->percent);
  EXPECT_TRUE(block->proven);
  EXPECT_DOUBLE_EQ(*block->percent, 350);
  EXPECT_NEAR(*block->plus_minus_percent, 226.6958, 1e-4);
}

TEST(Ministat, HasNoPercentagesOfNothing) {
  const auto block = compare_as_ministat(std::vector{-1.0, 0.0, 1.0}, std::vector{7.0, 8.0, 12.0});
  ASSERT_TRUE(block);
  EXPECT_EQ(block->percent, std::nullopt);
  EXPECT_EQ(block->plus_minus_percent, std::nullopt);
}

TEST(Ministat, NeedsThreeValuesASide) {
  EXPECT_FALSE(compare_as_ministat(std::vector{1.0, 2.0}, std::vector{1.0, 2.0, 3.0}));
  EXPECT_FALSE(compare_as_ministat(std::vector{1.0, 2.0, 3.0}, {}));
}

}  // namespace
}  // namespace bench
