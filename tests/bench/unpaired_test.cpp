#include "bench/unpaired.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bench {
namespace {

constexpr double delta = 0.02;

/// count values from `first` upwards.
std::vector<double> from(double first, std::size_t count, double step) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(first + step * static_cast<double>(i));
  return values;
}

std::vector<double> joined(std::vector<double> left, const std::vector<double>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

unpaired of(const std::vector<double>& a, const std::vector<double>& b,
            std::optional<double> aa_floor = std::nullopt) {
  return *compare_unpaired(std::vector{two_samples{a, b, aa_floor}}, delta)[0];
}

// n = 10 at error 0.05/2: P(Bin(10, 1/2) <= 1) = 11/1024 = 0.0107 <= 0.0125, so ranks 2 and 9 of each side.
TEST(Unpaired, BoundsTheRatioByTheIntervalsOfBothMedians) {
  const auto found = of(from(101, 10, 1), from(121, 10, 1));
  EXPECT_EQ(found.a.value, 105.5);
  EXPECT_EQ(found.b.value, 125.5);
  EXPECT_DOUBLE_EQ(found.ratio, 125.5 / 105.5);
  ASSERT_TRUE(found.bounds);
  EXPECT_DOUBLE_EQ(found.bounds->lo, 122.0 / 109);
  EXPECT_DOUBLE_EQ(found.bounds->hi, 129.0 / 102);
  EXPECT_NEAR(found.bounds->coverage, 1 - 44.0 / 1024, 1e-12);
  EXPECT_NEAR(found.test.p, 2.0 / 184'756, 1e-12);  // C(20, 10)
  EXPECT_EQ(found.says, verdict::slower);
  EXPECT_EQ(of(from(121, 10, 1), from(101, 10, 1)).says, verdict::faster);
}

// n = 20 at error 0.05/2 takes ranks 5 and 16. Four of a lie above all of b and four of b below all of a, outside both
// intervals, which are far apart. The rank test does not overlook them: U = 400 - (80 + 80 - 16) = 256 against a mean of 200
// and a deviation of sqrt(400 * 41 / 12) = 37.
TEST(Unpaired, NeedsTheRankTestBesidesTheInterval) {
  const auto a = joined(from(100, 16, 0.1), from(110, 4, 0.1));
  const auto b = joined(from(105, 16, 0.1), from(95, 4, 0.1));
  const auto found = of(a, b);
  EXPECT_EQ(found.test.u, 256);
  EXPECT_GT(found.p, 0.1);
  ASSERT_TRUE(found.bounds);
  EXPECT_DOUBLE_EQ(found.bounds->lo, 105.0 / 101.5);
  EXPECT_FALSE(found.bimodal);
  EXPECT_EQ(found.says, verdict::inconclusive);
}

// U is decisive, the medians are not: b spreads upwards from the same middle.
TEST(Unpaired, NeedsTheIntervalBesidesTheRankTest) {
  const auto a = joined(from(80, 10, 1), from(100, 10, 0.1));
  const auto b = joined(from(99.95, 10, 0.005), from(110, 10, 1));
  const auto found = of(a, b);
  EXPECT_LT(found.p, 0.01);
  EXPECT_LT(found.bounds->lo, 1);
  EXPECT_EQ(found.says, verdict::inconclusive);
}

TEST(Unpaired, EqualResultsAreEquivalentUnlessTheFloorIsWider) {
  const auto a = from(100, 10, 0.01);
  EXPECT_EQ(of(a, a).says, verdict::equivalent);
  EXPECT_EQ(of(a, a, 0.01).says, verdict::equivalent);
  EXPECT_EQ(of(a, a, 0.05).says, verdict::inconclusive);
}

TEST(Unpaired, EffectsBelowTheFloorAreNotCalled) {
  EXPECT_EQ(of(from(100, 10, 0.01), from(104, 10, 0.01), 0.01).says, verdict::slower);
  EXPECT_EQ(of(from(100, 10, 0.01), from(104, 10, 0.01), 0.05).says, verdict::inconclusive);
}

TEST(Unpaired, TwoModesAreInconclusive) {
  const auto found = of(joined(from(100, 5, 0.1), from(200, 5, 0.1)), from(500, 10, 1));
  EXPECT_TRUE(found.bimodal);
  EXPECT_EQ(found.says, verdict::inconclusive);
}

TEST(Unpaired, SaysHowManySamplesAreMissing) {
  const auto four = of(from(1, 4, 1), from(11, 4, 1));
  EXPECT_FALSE(four.bounds);
  EXPECT_TRUE(four.too_few);
  EXPECT_EQ(four.samples_needed, 7U);  // ceil(log2(4 / 0.05)); the rank test would do with 4
  EXPECT_EQ(four.says, verdict::inconclusive);
  EXPECT_FALSE(of(from(100, 7, 0.1), from(120, 7, 0.1)).too_few);
  EXPECT_EQ(of(from(100, 7, 0.1), from(120, 7, 0.1)).says, verdict::slower);
  EXPECT_EQ(unpaired_samples_needed(5), 9U);
}

TEST(Unpaired, CorrectsForTheLengthOfTheTable) {
  const auto a = from(100, 8, 0.1), b = from(120, 8, 0.1);
  const std::vector<two_samples> rows(5, {a, b, std::nullopt});
  const auto table = compare_unpaired(rows, delta);
  ASSERT_EQ(table.size(), 5U);
  EXPECT_NEAR(table[4]->p, 5 * 2.0 / 12'870,
              1e-12);              // C(16, 8); Holm's largest factor holds for all that are equal
  EXPECT_FALSE(table[4]->bounds);  // nine are needed
  EXPECT_TRUE(table[4]->too_few);
}

TEST(Unpaired, OfAnEmptySideDoesNotExist) {
  const auto a = from(100, 8, 0.1);
  const auto table = compare_unpaired(std::vector<two_samples>{{a, {}, {}}, {a, a, {}}}, delta);
  EXPECT_FALSE(table[0]);
  EXPECT_TRUE(table[1]);
}

}  // namespace
}  // namespace bench
