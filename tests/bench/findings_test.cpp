#include "bench/findings.hpp"

#include "tests/bench/made_cells.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

constexpr int cpu = 1;

cell quiet() {
  auto one = made_cell("raw", "tcp0", "raw", wandering(10'000, 20, 0.02));
  for (auto& timed : one.rounds) {
    timed.cpu_start = timed.cpu_end = cpu;
    timed.moved = traffic{10, 10, 580, 500};
    timed.syscalls = 20;
    timed.steal_ticks = 0;
  }
  return one;
}

op_plan twenty_rows() {
  return {.op = "mongo.ping", .rows = 20, .budget_s = 10, .elapsed_s = 2};
}

std::vector<std::string> codes(const std::vector<cell>& cells, const op_plan& plan) {
  std::vector<std::string> codes;
  for (const auto& found : findings(cells, plan, cpu)) {
    EXPECT_FALSE(found.number.empty() || found.cause.empty() || found.remedy.empty()) << found.code;
    EXPECT_EQ(found.op, "mongo.ping");
    codes.push_back(found.code);
  }
  return codes;
}

using list = std::vector<std::string>;

TEST(Findings, AreNoneForQuietRounds) {
  EXPECT_EQ(codes({quiet()}, twenty_rows()), list{});
}

TEST(Findings, NameTwoModes) {
  auto one = quiet();
  for (std::size_t i = 0; i < 5; ++i) one.rounds[4 * i].elapsed_ns *= 7;
  const auto found = findings({one}, twenty_rows(), cpu);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "W-BIMODAL");
  EXPECT_NE(found[0].number.find("25 % at 70.00 us"), std::string::npos) << found[0].number;
}

TEST(Findings, NameAPeerThatStoodStill) {
  auto one = quiet();
  one.rounds[3].elapsed_ns += 1'000'000'000;
  const auto found = findings({one}, twenty_rows(), cpu);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "W-FROZEN");
  EXPECT_EQ(found[0].number,
            "raw: 1 of 20 rounds stood still for 1.00 s together, a cpu was wanted for 0.00 s of it");
}

TEST(Findings, NameCountsThatVary) {
  auto one = quiet();
  one.rounds[3].moved->bytes_out = 590;
  one.rounds[4].syscalls = 21;
  const auto found = findings({one}, twenty_rows(), cpu);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].code, "W-COUNTS");
  EXPECT_EQ(found[0].number, "raw: 58.00 to 59.00 bytes sent per op");
  EXPECT_NE(found[0].cause.find("unequal work"), std::string::npos);
  EXPECT_EQ(found[1].number, "raw: 2.00 to 2.10 system calls per op");
  EXPECT_EQ(found[1].cause, "the kernel took or delivered messages in parts");
  EXPECT_NE(found[1].remedy.find("socket buffers"), std::string::npos);
}

TEST(Findings, CompareCountsPerOp) {
  auto one = quiet();
  one.rounds[3].ops = 20;
  one.rounds[3].elapsed_ns *= 2;
  one.rounds[3].moved = traffic{20, 20, 1160, 1000};
  one.rounds[3].syscalls = 40;
  EXPECT_EQ(codes({one}, twenty_rows()), list{});
}

TEST(Findings, NameStolenTimeAboveOnePercent) {
  auto one = quiet();
  for (auto& timed : one.rounds) timed.elapsed_ns = 100'000'000;
  one.rounds[0].steal_ticks = 2;  // 20 ms of 2 s
  EXPECT_EQ(codes({one}, twenty_rows()), list{});
  one.rounds[1].steal_ticks = 3;
  EXPECT_EQ(codes({one}, twenty_rows()), list{"W-STEAL"});
}

TEST(Findings, TakeStolenTimeAsAShareOfTheRoundsThatReadIt) {
  auto one = quiet();
  for (auto& timed : one.rounds) timed.elapsed_ns = 50'000'000;
  one.rounds[0].steal_ticks = 2;  // 20 ms of 1 s; the other second of the run was warm-up
  one.rounds[0].flags.steal = true;
  const auto found = findings({one}, twenty_rows(), cpu);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].number, "2.0 % of the rounds' time, in 1 of 20 rounds");
  EXPECT_EQ(found[0].flag, "--budget 20");
  for (auto& timed : one.rounds) timed.steal_ticks.reset();
  EXPECT_EQ(codes({one}, twenty_rows()), list{});
}

/// A quiet cell with that flag in so many of its 20 rounds.
cell flagged(bool round_flags::*flag, std::size_t rounds) {
  auto one = quiet();
  for (std::size_t i = 0; i < rounds; ++i) one.rounds[i].flags.*flag = true;
  return one;
}

TEST(Findings, NameWhatPassedItsLimitInMoreThanATwentiethOfTheRounds) {
  const std::pair<bool round_flags::*, const char*> signs[] = {{&round_flags::pressure, "W-PSI"},
                                                               {&round_flags::taken, "W-TAKEN"},
                                                               {&round_flags::switches, "W-SWITCHES"},
                                                               {&round_flags::faults, "W-FAULTS"}};
  for (const auto& [flag, code] : signs) {
    EXPECT_EQ(codes({flagged(flag, 1)}, twenty_rows()), list{});
    EXPECT_EQ(codes({flagged(flag, 2)}, twenty_rows()), list{code});
    EXPECT_EQ(codes({flagged(flag, 2), quiet()}, twenty_rows()), list{});  // 2 of 40
  }
}

TEST(Findings, TellHowMuchOfTheTimeWasLost) {
  auto one = quiet();
  for (std::size_t i = 0; i < one.rounds.size(); ++i) {
    one.rounds[i].elapsed_ns = 100'000;
    one.rounds[i].client_cpu_ns = 60'000;
    one.rounds[i].server_cpu_ns = 40'000;
  }
  for (const std::size_t i : {0, 1}) {
    one.rounds[i].client_cpu_ns = 10'000;  // 100 of 2000 are gone
    one.rounds[i].flags = {.pressure = true, .taken = true};
  }
  const auto found = findings({one}, twenty_rows(), cpu);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].number, "in 2 of 20 rounds");
  EXPECT_EQ(found[1].number, "5.0 % of the rounds' time, in 2 of 20 rounds");
}

TEST(Findings, NameALevelThatDriftsOrSteps) {
  auto drifting = quiet();
  auto step = quiet();
  for (std::size_t i = 0; i < 20; ++i) {  // 10.0 us to 11.9 us; 10 us and then 12 us
    drifting.rounds[i].elapsed_ns = 100'000 + 1'000 * static_cast<std::int64_t>(i) + 100 * (i % 2);
    step.rounds[i].elapsed_ns = (i < 10 ? 100'000 : 120'000) + 100 * (i % 2);
  }
  EXPECT_EQ(codes({drifting}, twenty_rows()), list{"W-DRIFT"});
  EXPECT_EQ(codes({step, quiet()}, twenty_rows()), list{"W-STEP"});
  const auto found = findings({step, quiet()}, twenty_rows(), cpu);
  EXPECT_TRUE(found[0].number.starts_with("1 of 2 cells, most raw: +")) << found[0].number;
  const auto rising =
      findings({drifting}, twenty_rows(), cpu)[0].number;  // each round above the one before it
  EXPECT_TRUE(rising.ends_with("%, neighbouring rounds correlate by 1.00")) << rising;
  auto plan = twenty_rows();
  plan.processes = 2;  // each at its own level
  EXPECT_EQ(codes({step}, plan), list{});
}

comparison pair(double effective_rows) {
  return {.a = "raw", .b = "driver", .rows = 100, .effective_rows = effective_rows};
}

TEST(Findings, NameRowsThatHangTogether) {
  EXPECT_TRUE(findings({pair(50), pair(100)}, twenty_rows()).empty());
  const auto found = findings({pair(100), pair(49), pair(30)}, twenty_rows());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "W-NEFF");
  EXPECT_EQ(found[0].number, "driver over raw: 100 rows are worth 30");
  EXPECT_EQ(found[0].op, "mongo.ping");
  auto replicated = pair(30);
  replicated.by_process = true;
  EXPECT_TRUE(findings({replicated}, twenty_rows()).empty());
}

TEST(Findings, NameAThreadThatLeftItsCpu) {
  EXPECT_EQ(codes({flagged(&round_flags::migrated, 1)}, twenty_rows()), list{"W-MIGRATED"});
}

TEST(Findings, NameUnbalancedPositionsAndTooFewRows) {
  auto plan = twenty_rows();
  plan.balanced = false;
  EXPECT_EQ(codes({quiet()}, plan), list{"W-BALANCE"});
  plan = twenty_rows();
  plan.rows = 5;
  EXPECT_EQ(codes({quiet()}, plan), list{"W-ROWS"});
  plan.reason = ended_by::stop;  // whoever stops a run knows
  EXPECT_EQ(codes({quiet()}, plan), list{});
}

}  // namespace
}  // namespace bench
