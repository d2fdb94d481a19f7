#include "bench/noise.hpp"

#include "bench/placement.hpp"

#include "tests/bench/made_cells.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

TEST(StealTicks, AreTheEighthFieldOfTheCpusOwnLine) {
  const char* stat =
      "cpu  1 2 3 4 5 6 7 88 9 10\n"
      "cpu0 1 2 3 4 5 6 7 33 9 10\n"
      "cpu1 1 2 3 4 5 6 7 55 9 10\n"
      "intr 12345\n";
  EXPECT_EQ(steal_ticks_in(stat, 0), 33);
  EXPECT_EQ(steal_ticks_in(stat, 1), 55);
  EXPECT_EQ(steal_ticks_in(stat, 2), std::nullopt);
  EXPECT_EQ(steal_ticks_in("cpu  1 2\ncpu0 1 2 3\n", 0), std::nullopt);
  EXPECT_EQ(steal_ticks_in("", 0), std::nullopt);
}

TEST(Pressure, IsTheTotalOfTheLineSome) {
  EXPECT_EQ(pressure_us_in("some avg10=87.38 avg60=33.23 avg300=15.15 total=6453561265\n"
                           "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"),
            6453561265);
  EXPECT_EQ(pressure_us_in("full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"), std::nullopt);
  EXPECT_EQ(pressure_us_in("some avg10=0.00"), std::nullopt);
  EXPECT_EQ(pressure_us_in(""), std::nullopt);  // a kernel without PSI
}

TEST(Migrations, StandInTheSchedulersTextOfTheThread) {
  EXPECT_EQ(migrations_in("wirebench (12230, #threads: 1)\n"
                          "-------------------------------------------------\n"
                          "se.vruntime                  :           697.505105\n"
                          "se.nr_migrations             :                   17\n"
                          "nr_switches                  :                   40\n"),
            17);
  EXPECT_EQ(migrations_in("nr_switches                  :                   40\n"), std::nullopt);
  EXPECT_EQ(migrations_in(""), std::nullopt);
}

TEST(NoiseReading, HasADifferenceWhereBothKnow) {
  const noise_reading earlier{.steal_ticks = 5, .pressure_us = std::nullopt, .migrations = 2};
  const noise_reading later{.steal_ticks = 8, .pressure_us = 70, .migrations = 2};
  const auto between = later - earlier;
  EXPECT_EQ(between.steal_ticks, 3);
  EXPECT_EQ(between.pressure_us, std::nullopt);
  EXPECT_EQ(between.migrations, 0);
}

TEST(NoiseSensors, SeeThisThreadMove) {
  const auto cpus = allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "one cpu alone";
  noise_sensors sensors(cpus[0]);
  const auto before = sensors.read();
  if (!before.migrations) GTEST_SKIP() << "this kernel has no /proc/thread-self/sched";
  for (const int lap : {0, 1, 0}) {
    const auto there = pinned_thread::to(cpus[static_cast<std::size_t>(lap)]);
    ASSERT_TRUE(there.ok()) << there.status();
  }
  EXPECT_GE((sensors.read() - before).migrations, 2);
}

constexpr int cpu = 1;

/// 20 rounds of 10 ops in 100 us, all of it on the cpu.
cell quiet() {
  auto one = made_cell("raw", "tcp0", "raw", std::vector<double>(20, 10'000));
  for (auto& timed : one.rounds) {
    timed.cpu_start = timed.cpu_end = cpu;
    timed.client_cpu_ns = 60'000;
    timed.server_cpu_ns = 39'500;
    timed.steal_ticks = timed.pressure_us = timed.migrations = 0;
    timed.involuntary_switches = 5;
  }
  return one;
}

/// Names of the flags of the cell's round 3.
std::string flags_of_third(cell one) {
  std::vector<cell> cells{std::move(one)};
  flag_rounds(cells, cpu);
  std::string names;
  for (std::size_t i = 0; i < cells[0].rounds.size(); ++i) {
    const auto& flags = cells[0].rounds[i].flags;
    std::string of_round;
    if (flags.steal) of_round += " steal";
    if (flags.pressure) of_round += " pressure";
    if (flags.taken) of_round += " taken";
    if (flags.switches) of_round += " switches";
    if (flags.faults) of_round += " faults";
    if (flags.migrated) of_round += " migrated";
    if (i == 3) {
      names = of_round;
    } else {
      EXPECT_EQ(of_round, "") << i;
    }
  }
  return names;
}

TEST(RoundFlags, AreNoneInAQuietRun) {
  EXPECT_EQ(flags_of_third(quiet()), "");
}

TEST(RoundFlags, NameAnyStealAndAnyMove) {
  auto one = quiet();
  one.rounds[3].steal_ticks = 1;
  one.rounds[3].migrations = 1;
  EXPECT_EQ(flags_of_third(one), " steal migrated");
  one = quiet();
  one.rounds[3].cpu_end = 0;
  EXPECT_EQ(flags_of_third(one), " migrated");
}

TEST(RoundFlags, NamePressureAboveATenthOfTheTime) {
  auto one = quiet();
  one.rounds[3].pressure_us = 10;  // of 100
  EXPECT_EQ(flags_of_third(one), "");
  one.rounds[3].pressure_us = 11;
  EXPECT_EQ(flags_of_third(one), " pressure");
}

// Whoever is woken takes the cpu at once: the client waits while its peer works, in every round.
TEST(RoundFlags, CompareTheWaitForOneCpuWithTheUsualRound) {
  auto one = quiet();
  for (auto& timed : one.rounds) timed.pressure_us = 40;
  one.rounds[3].pressure_us = 50;
  EXPECT_EQ(flags_of_third(one), "");
  one.rounds[3].pressure_us = 51;
  EXPECT_EQ(flags_of_third(one), " pressure");

  for (auto& timed : one.rounds) timed.pressure_us = 0;  // on two cpus nobody of ours waits for one
  one.what.placement = "split";
  one.rounds[3].pressure_us = 11;
  EXPECT_EQ(flags_of_third(one), " pressure");
  std::vector<cell> cells{one};
  for (auto& timed : cells[0].rounds) timed.pressure_us = 40;
  flag_rounds(cells, cpu);
  for (const auto& timed : cells[0].rounds) EXPECT_TRUE(timed.flags.pressure);
}

TEST(RoundFlags, NameTimeThatNeitherSideHad) {
  auto one = quiet();
  one.rounds[3].client_cpu_ns = 51'000;  // 9.5 % went to others
  EXPECT_EQ(flags_of_third(one), "");
  one.rounds[3].client_cpu_ns = 50'000;  // 10.5 %
  EXPECT_EQ(flags_of_third(one), " taken");
}

TEST(RoundFlags, CompareSwitchesAndFaultsWithTheUsualRound) {
  auto one = quiet();
  one.rounds[3].involuntary_switches = 18;  // 2 x 5 + 8
  one.rounds[3].minor_faults = 8;
  EXPECT_EQ(flags_of_third(one), "");
  one.rounds[3].involuntary_switches = 19;
  one.rounds[3].minor_faults = 9;
  EXPECT_EQ(flags_of_third(one), " switches faults");
  one = quiet();
  one.rounds[3].major_faults = 1;
  EXPECT_EQ(flags_of_third(one), " faults");
}

TEST(TakenShare, IsKnownWhereNobodyRests) {
  auto one = quiet();
  EXPECT_NEAR(*taken_share(one, one.rounds[0]), 0.005, 1e-12);
  one.what.peer = "PostgreSQL 15.20";  // waits for its disk
  EXPECT_FALSE(taken_share(one, one.rounds[0]));
  one = quiet();
  one.what.service_ns = 200'000;  // may sleep
  EXPECT_FALSE(taken_share(one, one.rounds[0]));
  one = quiet();
  one.what.placement = "unpinned";
  EXPECT_FALSE(taken_share(one, one.rounds[0]));
  one = quiet();
  one.rounds[0].server_cpu_ns.reset();
  EXPECT_FALSE(taken_share(one, one.rounds[0]));
  one.what.transport = "mem";  // its server is this thread
  EXPECT_DOUBLE_EQ(*taken_share(one, one.rounds[0]), 0.4);
}

}  // namespace
}  // namespace bench
