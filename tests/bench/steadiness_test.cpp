#include "bench/steadiness.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bench {
namespace {

/// `count` times of 100 us that wobble by +-`wobble` us around it: up, down, down, up, which has no slope to speak of.
std::vector<double> level(std::size_t count, double wobble) {
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i)
    times.push_back(100 + (i % 4 == 0 || i % 4 == 3 ? wobble : -wobble));
  return times;
}

TEST(Course, IsSteadyWhileNothingStandsOutOfTheNoise) {
  EXPECT_EQ(course_of(level(100, 10))->label, course::steady);
  EXPECT_EQ(course_of(std::vector<double>(100, 5.0))->label, course::steady);

  // A wobble of +-20 % with a rise of 3 %: the slope is lost in its own error.
  auto rising = level(40, 20);
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] += 3.0 * static_cast<double>(i) / 39;
  const auto found = course_of(rising);
  EXPECT_EQ(found->label, course::steady);
  EXPECT_GT(found->drift, 0.01);
}

// A line of 0.05 a round over 101 rounds from 100: it rises 5 over a median of 102.5.
TEST(Course, DriftsAlongALine) {
  std::vector<double> times;
  for (int i = 0; i <= 100; ++i) times.push_back(100 + 0.05 * i);
  const auto found = course_of(times);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->label, course::drifting);
  EXPECT_NEAR(found->drift, 5 / 102.5, 1e-9);
  EXPECT_NEAR(found->neighbours, 1, 1e-9);

  for (auto& time : times) time = 205 - time;
  EXPECT_NEAR(course_of(times)->drift, -5 / 102.5, 1e-9);
}

TEST(Course, ADriftBelowOnePercentIsSteady) {
  std::vector<double> times;
  for (int i = 0; i <= 100; ++i) times.push_back(100 + 0.009 * i);
  EXPECT_EQ(course_of(times)->label, course::steady);
}

TEST(Course, StepsBetweenTwoLevels) {
  auto times = level(60, 1);
  for (std::size_t i = 40; i < times.size(); ++i) times[i] += 10;
  const auto found = course_of(times);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->label, course::step);
  EXPECT_NEAR(found->step, 0.1, 0.002);  // 10 over a median of 101
}

TEST(Course, TwoDisturbedRoundsAreNoStep) {
  auto times = level(60, 1);
  times[58] = times[59] = 300;
  EXPECT_EQ(course_of(times)->label, course::steady);
}

TEST(Course, NeedsEightRounds) {
  EXPECT_FALSE(course_of(level(7, 1)));
  EXPECT_TRUE(course_of(level(8, 1)));
}

// Blocks of ten equal values.
TEST(Course, TellsThatNeighboursHangTogether) {
  std::vector<double> times;
  for (std::size_t i = 0; i < 200; ++i) times.push_back(i / 10 * 7 % 5 < 2 ? 100 : 110);
  const auto found = course_of(times);
  EXPECT_GT(found->neighbours, 0.8);
}

// Ranks 1 2 3 4 5 against 2 1 4 3 5: 1 - 6 (1 + 1 + 1 + 1) / (5 * 24) = 0.8.
TEST(Spearman, IsTheCorrelationOfRanks) {
  const std::vector<double> x = {10, 20, 30, 40, 500}, y = {2, 1, 4, 3, 5};
  EXPECT_NEAR(spearman(x, y), 0.8, 1e-12);
}

// Ranks 1.5 1.5 3 against 1 2 3: covariance 0.5 * 1 + 0.5 * 0 + 1 * 1 = 1.5 over sqrt(1.5 * 2).
TEST(Spearman, LetsEqualValuesShareTheirRank) {
  EXPECT_NEAR(spearman(std::vector{7.0, 7.0, 9.0}, std::vector{1.0, 2.0, 3.0}), 1.5 / 1.7320508, 1e-7);
  EXPECT_EQ(spearman(std::vector{7.0, 7.0}, std::vector{1.0, 2.0}), 0);
}

}  // namespace
}  // namespace bench
