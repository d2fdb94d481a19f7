#include "bench/standstill.hpp"

#include "tests/bench/made_cells.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

/// 20 rounds of 10 ops of 100 us: 1 ms, of which the client takes 400 us and the server 500.
cell steady() {
  auto one = made_cell("raw", "tcp0", "raw", std::vector<double>(20, 100'000));
  for (auto& timed : one.rounds) {
    timed.client_cpu_ns = 400'000;
    timed.server_cpu_ns = 500'000;
    timed.steal_ticks = 0;
    timed.pressure_us = 0;
  }
  return one;
}

TEST(Standstill, IsNotFoundInSteadyRounds) {
  EXPECT_FALSE(standstill_of(steady()));
  EXPECT_FALSE(standstill_of(cell{}));
}

TEST(Standstill, IsTheTimeBeyondTheUsualGap) {
  auto one = steady();
  one.rounds[7].elapsed_ns = 1'001'000'000;
  one.rounds[9].elapsed_ns = 301'000'000;
  const auto found = standstill_of(one);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rounds, 2u);
  EXPECT_DOUBLE_EQ(found->ns, 1.3e9);  // each less 0.9 ms of CPU and the usual 0.1 ms
}

TEST(Standstill, IsNotWorkOfEitherSide) {
  auto one = steady();
  for (const std::size_t i : {3, 4}) one.rounds[i].elapsed_ns = 1'001'000'000;
  one.rounds[3].client_cpu_ns = 900'000'000;
  one.rounds[4].server_cpu_ns = 900'000'000;
  EXPECT_FALSE(standstill_of(one));
}

TEST(Standstill, IsNotWhatTheHypervisorTook) {
  auto one = steady();
  one.rounds[3].elapsed_ns = 1'001'000'000;
  one.rounds[3].steal_ticks = 90;
  EXPECT_FALSE(standstill_of(one));
}

TEST(Standstill, TellsForHowLongACpuWasWanted) {
  auto one = steady();
  for (const std::size_t i : {3, 4}) one.rounds[i].elapsed_ns = 1'001'000'000;
  one.rounds[3].pressure_us = 300'000;
  one.rounds[4].pressure_us = 1'001'000;  // before the gap, too
  const auto found = standstill_of(one);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->pressed_ns, 1.3e9);
}

TEST(Standstill, NeedsNoSensors) {
  auto one = steady();
  for (auto& timed : one.rounds) {
    timed.server_cpu_ns.reset();
    timed.steal_ticks.reset();
    timed.pressure_us.reset();
  }
  one.rounds[3].elapsed_ns = 1'001'000'000;
  ASSERT_TRUE(standstill_of(one));
}

}  // namespace
}  // namespace bench
