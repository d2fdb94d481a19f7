#include "bench/calibration.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bench {
namespace {

constexpr double us = 1e3;
constexpr std::size_t rows = 10;

/// T = 10 us + k D + 2 us of really waiting, in every row.
calibration_rows made(double k, double real_us) {
  calibration_rows made{.zero_ns = std::vector(rows, 10 * us), .real_ns = std::vector(rows, real_us * us)};
  for (const double d : {1000.0, 50.0, 200.0}) {  // in any order
    made.points.push_back(
        {.achieved_ns = std::vector(rows, d * us), .time_ns = std::vector(rows, (10 + k * d + 2) * us)});
  }
  return made;
}

/// Adds offset[r] to row r of a vector.
void shift(std::vector<double>& values, const std::vector<double>& offset) {
  for (std::size_t r = 0; r < values.size(); ++r) values[r] += offset[r];
}

void shift_all(calibration_rows& of, const std::vector<double>& offset) {
  shift(of.zero_ns, offset);
  for (auto& point : of.points) shift(point.time_ns, offset);
  shift(of.real_ns, offset);
}

TEST(Calibration, ReadsTheServiceTimeOffTheLineBetweenItsNeighbours) {
  const auto found = calibrate(made(1, 132), 1);
  ASSERT_TRUE(found && found->server_ns && found->slope);
  EXPECT_EQ(found->client_ns.value, 10 * us);
  EXPECT_NEAR(found->slope->value, 1, 1e-9);
  EXPECT_NEAR(found->service_ns->value, 120 * us, 1e-6);
  EXPECT_NEAR(found->server_ns->value, 120 * us, 1e-6);
  EXPECT_NEAR(found->waiting_ns->value, 2 * us, 1e-6);
  EXPECT_EQ(found->trouble, "");
  ASSERT_EQ(found->points.size(), 4U);
  EXPECT_EQ(found->points[0].service_ns, 0);
  EXPECT_EQ(found->points[1].service_ns, 50 * us);
  EXPECT_NEAR(*found->points[3].waiting_ns, 2 * us, 1e-6);
}

TEST(Calibration, CountsEveryRoundTripOfTheOp) {
  const auto found = calibrate(made(2, 252), 1);
  ASSERT_TRUE(found && found->server_ns);
  EXPECT_NEAR(found->slope->value, 2, 1e-9);
  EXPECT_NEAR(found->service_ns->value, 120 * us, 1e-6);
  EXPECT_NEAR(found->server_ns->value, 240 * us, 1e-6);
}

// Between (0, 10) and (50, 62), 31 of 52 us up.
TEST(Calibration, DoesNotTakeTheSlopeForTheStepBelowFiftyMicroseconds) {
  const auto found = calibrate(made(1, 41), 1);
  ASSERT_TRUE(found && found->server_ns);
  EXPECT_NEAR(found->server_ns->value, 50 * us * 31 / 52, 1e-6);
  EXPECT_NEAR(found->slope->value, 1, 1e-9);
}

TEST(Calibration, NeverReadsBeyondTheOutermostPoint) {
  const auto found = calibrate(made(1, 1013), 1);
  ASSERT_TRUE(found && found->slope);
  EXPECT_FALSE(found->server_ns);
  EXPECT_FALSE(found->service_ns);
  EXPECT_NE(found->trouble.find("1013.0 us"), std::string::npos) << found->trouble;
  EXPECT_NE(found->trouble.find("measure a longer one"), std::string::npos);
}

TEST(Calibration, AServerSoonerThanTheNullServerTakesNoTime) {
  const auto found = calibrate(made(1, 9), 1);
  ASSERT_TRUE(found && found->server_ns);
  EXPECT_EQ(found->server_ns->value, 0);
  EXPECT_NEAR(found->waiting_ns->value, -1 * us, 1e-6);
}

// A row's weather is in all its cells. Rows are drawn whole, so it cancels in server time, though `a` is wide.
TEST(Calibration, DrawsWholeRows) {
  auto noisy = made(1, 132);
  std::vector<double> weather;
  for (std::size_t r = 0; r < rows; ++r) weather.push_back(static_cast<double>(r * r) * us);
  shift_all(noisy, weather);
  const auto found = calibrate(noisy, 1);
  ASSERT_TRUE(found && found->server_ns && found->server_ns->range && found->client_ns.range);
  EXPECT_GT(found->client_ns.range->hi - found->client_ns.range->lo, 10 * us);
  EXPECT_NEAR(found->server_ns->range->lo, 120 * us, 1e-6);
  EXPECT_NEAR(found->server_ns->range->hi, 120 * us, 1e-6);
}

TEST(Calibration, NoiseOfTheRealServerMakesAnIntervalThatTheSeedRepeats) {
  auto noisy = made(1, 132);
  for (std::size_t r = 0; r < rows; ++r) noisy.real_ns[r] += (static_cast<double>(r) - 4.5) * us;
  const auto found = calibrate(noisy, 7), again = calibrate(noisy, 7);
  ASSERT_TRUE(found->server_ns->range && again->server_ns->range);
  EXPECT_EQ(found->server_ns->range->lo, again->server_ns->range->lo);
  EXPECT_EQ(found->server_ns->range->hi, again->server_ns->range->hi);
  // The sign interval of these ten values is ranks 2 and 9, 3.5 us to either side; the bootstrap is of that size.
  EXPECT_NEAR(found->server_ns->range->lo, 117 * us, 1.2 * us);
  EXPECT_NEAR(found->server_ns->range->hi, 123 * us, 1.2 * us);
}

TEST(Calibration, LeavesOutAnIntervalThatEndsBeyondTheOutermostPoint) {
  auto noisy = made(1, 1011);
  for (std::size_t r = 0; r < rows; ++r) noisy.real_ns[r] += (static_cast<double>(r) - 4.5) * us;
  const auto found = calibrate(noisy, 1);
  ASSERT_TRUE(found->server_ns);
  EXPECT_FALSE(found->server_ns->range);
  EXPECT_NE(found->trouble.find("ends beyond"), std::string::npos) << found->trouble;
}

TEST(Calibration, OfTooLittleSaysWhatIsMissing) {
  EXPECT_FALSE(calibrate({}, 1));

  auto one_point = made(1, 41);
  one_point.points.resize(1);
  const auto no_slope = calibrate(one_point, 1);
  EXPECT_FALSE(no_slope->slope);
  EXPECT_NE(no_slope->trouble.find("two service times"), std::string::npos);

  const calibration_rows five{.zero_ns = std::vector(5, 1.0),
                              .points = {{std::vector(5, 50 * us), std::vector(5, 50 * us)},
                                         {std::vector(5, 100 * us), std::vector(5, 100 * us)}},
                              .real_ns = std::vector(5, 60 * us)};
  const auto few = calibrate(five, 1);
  ASSERT_TRUE(few->server_ns);
  EXPECT_FALSE(few->server_ns->range);
  EXPECT_NE(few->trouble.find("5 rows, 6 are needed"), std::string::npos) << few->trouble;
}

TEST(ServiceTimes, HoldTheExpectedOneBetweenThem) {
  EXPECT_EQ(service_times(100'000, 1),
            (std::vector<std::int64_t>{0, 50'000, 80'000, 125'000, 200'000, 1'000'000}));
  EXPECT_EQ(service_times(6'000'000, 2),
            (std::vector<std::int64_t>{0, 50'000, 200'000, 1'000'000, 2'400'000, 3'750'000}));
  EXPECT_EQ(service_times(-500, 1), (std::vector<std::int64_t>{0, 50'000, 200'000, 1'000'000}));
}

}  // namespace
}  // namespace bench
