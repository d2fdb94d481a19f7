#include "bench/clock.hpp"

#include "bench/placement.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

TEST(Clock, NeverGoesBack) {
  auto latest = now_ns();
  for (int i = 0; i < 10'000; ++i) {
    const auto reading = now_ns();
    ASSERT_GE(reading, latest);
    latest = reading;
  }
}

TEST(ClockCalibration, KnowsTheSourceAndVisitsEveryAllowedCpu) {
  const auto before = allowed_cpus();
  const auto clock = calibrate_clock();
  EXPECT_FALSE(clock.source.empty());
  EXPECT_GT(clock.resolution_ns, 0);
  EXPECT_GE(clock.read_cost_p99_ns, clock.read_cost_p50_ns);
  EXPECT_EQ(clock.cpus_checked, static_cast<int>(before.size()));
  EXPECT_EQ(clock.backward_steps, 0u);
  EXPECT_EQ(allowed_cpus(), before);
}

}  // namespace
}  // namespace bench
