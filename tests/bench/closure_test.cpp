#include "bench/closure.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bench {
namespace {

constexpr double us = 1e3;

estimate around(double middle_us, double half_us) {
  return {middle_us * us, interval{(middle_us - half_us) * us, (middle_us + half_us) * us, 0.95}};
}

/// An op of 75 us: 10 client, 60 server, 5 waiting.
closure_evidence closing() {
  calibration calibrated;
  calibrated.client_ns = around(10, 0.1);
  calibrated.slope = estimate{1.001, interval{0.998, 1.004, 0.95}};
  calibrated.service_ns = calibrated.server_ns = around(60, 1);
  calibrated.waiting_ns = around(5, 1);
  return {.total_ns = 75 * us,
          .aa_ns = 0.1 * us,
          .calibrated = calibrated,
          .server_lo_ns = around(58, 1),
          .server_hi_ns = around(66, 1),
          .residual_ns = around(0.2, 0.5),
          .thread_cpu_ns = 10 * us,
          .stages_cpu_ns = 9.6 * us};
}

/// Fails for one reason, which is `words`, with that gap.
void expect_gap(const closure_evidence& evidence, double gap_us, const std::string& words) {
  const auto found = close_attribution(evidence);
  EXPECT_FALSE(found.closed);
  ASSERT_EQ(found.reasons.size(), 1U) << words;
  EXPECT_EQ(found.reasons[0], words);
  ASSERT_TRUE(found.unexplained_ns);
  EXPECT_NEAR(*found.unexplained_ns, gap_us * us, 1e-6);
  EXPECT_NEAR(*found.unexplained_share, gap_us * us / evidence.total_ns, 1e-9);
}

TEST(Closure, ClosesWhenEverySourceAgrees) {
  const auto found = close_attribution(closing());
  EXPECT_TRUE(found.closed);
  EXPECT_TRUE(found.reasons.empty());
  EXPECT_TRUE(found.unchecked.empty());
  EXPECT_NEAR(*found.unexplained_ns, 0.2 * us, 1e-9);
}

TEST(Closure, ServerTimeLiesBetweenItsBounds) {
  auto evidence = closing();
  evidence.server_lo_ns = around(64, 2);  // 62 is above 61
  expect_gap(evidence, 4, "the server reports 64.0 us of its own, calibration finds 60.0 us");
  evidence.server_lo_ns = around(64, 3.5);  // the intervals meet
  EXPECT_TRUE(close_attribution(evidence).closed);

  evidence = closing();
  evidence.server_hi_ns = around(57, 1.5);
  expect_gap(evidence, 3, "calibration finds 60.0 us of server time, the client waited 57.0 us");
}

TEST(Closure, StagesSumToTheOp) {
  auto evidence = closing();
  evidence.residual_ns = around(3, 1);
  expect_gap(evidence, 3, "the op takes 3.0 us longer than its stages");
  evidence.residual_ns = around(-3, 1);
  expect_gap(evidence, 3, "the op takes 3.0 us less than its stages");
}

TEST(Closure, CpuTimeIsThatOfTheStages) {
  auto evidence = closing();
  evidence.stages_cpu_ns = 9.4 * us;  // 6 % of 10
  expect_gap(evidence, 0.6, "the thread used 10.0 us of CPU, its stages 9.4 us");
  evidence.stages_cpu_ns = 10.6 * us;
  expect_gap(evidence, 0.6, "the thread used 10.0 us of CPU, its stages 10.6 us");
}

TEST(Closure, RoundTripsAreAWholeNumber) {
  auto evidence = closing();
  evidence.calibrated->slope = estimate{1.2, interval{1.1, 1.3, 0.95}};
  expect_gap(evidence, 12,
             "1.200 [1.100, 1.300] sequential round trips per op are no whole number: some are hidden, "
             "client and server overlap, or waiting costs the more the longer it lasts");
  evidence.calibrated->slope = estimate{2.01, interval{1.99, 2.03, 0.95}};
  EXPECT_TRUE(close_attribution(evidence).closed);
  evidence.calibrated->slope = estimate{0.1, interval{-0.1, 0.3, 0.95}};
  EXPECT_FALSE(close_attribution(evidence).closed);
}

TEST(Closure, NoServerTakesLessThanNoTime) {
  auto evidence = closing();
  evidence.calibrated->service_ns = evidence.calibrated->server_ns = around(0, 0);
  evidence.server_lo_ns.reset();
  evidence.calibrated->waiting_ns = around(-2, 1);
  expect_gap(evidence, 2, "the real server answers 2.0 us sooner than the null server");
}

TEST(Closure, DoesNotCallAGapThatRawAgainstItselfShowsToo) {
  auto evidence = closing();
  evidence.residual_ns = around(3, 1);
  evidence.aa_ns = 3.5 * us;
  EXPECT_TRUE(close_attribution(evidence).closed);
}

// An op that waits for 590 of its 600 us: 1 % of its time is most of its CPU time.
TEST(Closure, CpuTimeHasNoShareInWhatRawAgainstItselfShows) {
  auto evidence = closing();
  evidence.total_ns = 600 * us;
  evidence.aa_ns = 6 * us;
  evidence.thread_cpu_ns = 8 * us;
  evidence.stages_cpu_ns = 3 * us;
  expect_gap(evidence, 5, "the thread used 8.0 us of CPU, its stages 3.0 us");
}

TEST(Closure, NamesTheLargestGap) {
  auto evidence = closing();
  evidence.residual_ns = around(3, 1);
  evidence.server_hi_ns = around(50, 1);
  evidence.stages_cpu_ns = 9 * us;
  const auto found = close_attribution(evidence);
  EXPECT_EQ(found.reasons.size(), 3U);
  EXPECT_NEAR(*found.unexplained_ns, 10 * us, 1e-6);
}

TEST(Closure, WithoutServerTimeOrStagesNothingIsAttributed) {
  auto evidence = closing();
  evidence.calibrated->trouble = "measure a longer one";
  evidence.residual_ns.reset();
  const auto found = close_attribution(evidence);
  EXPECT_FALSE(found.closed);
  EXPECT_EQ(found.reasons, (std::vector<std::string>{"measure a longer one", "no stages were stamped"}));
  EXPECT_EQ(found.unexplained_ns, std::nullopt);
  EXPECT_EQ(close_attribution({.total_ns = 1}).reasons[0], "server time was not calibrated");
}

TEST(Closure, WithoutBoundsOrCpuSaysWhatIsUnchecked) {
  auto evidence = closing();
  evidence.server_lo_ns.reset();
  evidence.server_hi_ns.reset();
  evidence.stages_cpu_ns.reset();
  const auto found = close_attribution(evidence);
  EXPECT_TRUE(found.closed);
  EXPECT_EQ(found.unchecked.size(), 3U);
}

}  // namespace
}  // namespace bench
