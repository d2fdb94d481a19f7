#include "bench/mann_whitney.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bench {
namespace {

// C(8, 4) = 70 arrangements, and only the one seen and its mirror image are as far out.
TEST(MannWhitney, OfSamplesThatDoNotOverlapIsTheSmallestP) {
  const auto found = mann_whitney_test(std::vector{1.0, 2.0, 3.0, 4.0}, std::vector{5.0, 6.0, 7.0, 8.0});
  EXPECT_EQ(found.u, 16);
  EXPECT_DOUBLE_EQ(found.p, 2.0 / 70);
  EXPECT_TRUE(found.exact);
}

// 1 < 2, 1 < 4, 3 < 4: U = 3. The six arrangements of 2 + 2 have U = 0 1 2 2 3 4; two are at 3 or above.
TEST(MannWhitney, IsCountedForSmallSamples) {
  const auto found = mann_whitney_test(std::vector{3.0, 1.0}, std::vector{2.0, 4.0});
  EXPECT_EQ(found.u, 3);
  EXPECT_DOUBLE_EQ(found.p, 2 * 2.0 / 6);
  EXPECT_EQ(mann_whitney_test(std::vector{2.0, 4.0}, std::vector{3.0, 1.0}).u, 1);
}

// {1, 1} and {1, 2}: U = 2 (1/2 + 1) = 3; one group of three equal values, so the variance is 4/12 (5 - 24/12) = 1 and
// z = 3 - 2 - 1/2; 2 (1 - Phi(0.5)) = 0.617075.
TEST(MannWhitney, IsCorrectedForTies) {
  const auto found = mann_whitney_test(std::vector{1.0, 1.0}, std::vector{1.0, 2.0});
  EXPECT_EQ(found.u, 3);
  EXPECT_NEAR(found.p, 0.617075, 1e-6);
  EXPECT_FALSE(found.exact);
}

TEST(MannWhitney, FindsNothingInEqualValues) {
  EXPECT_EQ(mann_whitney_test(std::vector<double>(30, 5.0), std::vector<double>(4, 5.0)).p, 1);
  EXPECT_EQ(mann_whitney_test(std::vector{5.0}, std::vector{5.0}).p, 1);
}

TEST(SmallestP, FollowsTheArrangements) {
  EXPECT_NEAR(smallest_p(4, 4), 2.0 / 70, 1e-12);
  EXPECT_NEAR(smallest_p(5, 5), 2.0 / 252, 1e-12);
  EXPECT_NEAR(smallest_p(2, 3), 2.0 / 10, 1e-12);
  EXPECT_EQ(smallest_p(1, 1), 1);
  EXPECT_EQ(smallest_p(2000, 2000), 0);
}

TEST(SmallestP, SaysHowManySamplesALevelAsksFor) {
  EXPECT_EQ(samples_for(0.05), 4U);
  EXPECT_EQ(samples_for(0.01), 5U);
  EXPECT_EQ(samples_for(0.001), 7U);  // 2 / C(12, 6) = 0.0022, 2 / C(14, 7) = 0.0006
}

TEST(Holm, MultipliesByWhatIsLeftAndNeverDescends) {
  EXPECT_EQ(holm(std::vector{0.01, 0.04, 0.03}), (std::vector{3 * 0.01, 2 * 0.03, 2 * 0.03}));
  EXPECT_EQ(holm(std::vector{0.5, 0.6}), (std::vector{1.0, 1.0}));
  EXPECT_EQ(holm(std::vector{0.04}), (std::vector{0.04}));
  EXPECT_TRUE(holm({}).empty());
}

}  // namespace
}  // namespace bench
