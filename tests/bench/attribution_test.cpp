#include "bench/attribution.hpp"

#include "bench/compare.hpp"

#include "tests/bench/made_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace bench {
namespace {

constexpr std::size_t rows = 64;

/// The null server: 7 us of client and kernel, 0.4 us more as soon as it really waits, and D.
double null_ns(double service_ns) {
  return 7'000 + service_ns + (service_ns > 0 ? 400 : 0);
}

cell waiting_cell(double service_ns) {
  auto made = made_cell("tcpD/" + std::to_string(service_ns), "tcpD", "raw",
                        wandering(null_ns(service_ns), rows, 0.002));
  made.what.service_ns = static_cast<std::int64_t>(service_ns);
  for (auto& timed : made.rounds)
    timed.delayed = delay_tally{timed.ops, static_cast<std::uint64_t>(service_ns) * timed.ops};
  return made;
}

/// Raw with stamps: each stage holds one reading of 20 ns (thread: 200 ns) too many.
cell stamped_cell(const std::string& rung, const std::string& clock, const stage_figures& per_op,
                  double reading_ns) {
  double total_ns = 0;
  for (const auto ns : per_op) total_ns += ns + reading_ns;
  auto made = made_cell(rung + "/" + clock, rung, "raw", std::vector<double>(rows, total_ns));
  made.what.stamps = clock;
  for (auto& timed : made.rounds) {
    auto& told = timed.stages.emplace();
    const auto ops = static_cast<std::int64_t>(timed.ops);
    for (std::size_t i = 0; i < per_op.size(); ++i) {
      told.ns[i] = static_cast<std::int64_t>(per_op[i] + reading_ns) * ops;
      told.intervals[i] = timed.ops;
    }
    told.window_ns = static_cast<std::int64_t>(per_op[1] + per_op[2]) * ops;
    told.windows = timed.ops;
  }
  summarize(made);
  return made;
}

/// A ladder against a real server that takes `server_ns`, with the stages given.
struct made_ladder {
  double server_ns = 60'000;
  stage_figures stages{300, 2'000, 64'600, 0, 500};
  stage_figures stages_cpu{300, 1'500, 1'200, 0, 500};
  double told_ns = 55'000;
  std::string placement = "same-cpu";

  std::vector<cell> cells() const {
    std::vector<cell> all{made_cell("raw", "tcp0", "raw", wandering(null_ns(0), rows, 0.002)),
                          made_cell("again", "tcp0", "raw", wandering(null_ns(0), rows, 0.003))};
    for (const double d : {50'000., 200'000., 1'000'000., 48'000., 75'000.}) all.push_back(waiting_cell(d));
    auto real = made_cell("real", "real", "raw", wandering(null_ns(server_ns), rows, 0.002));
    for (auto& timed : real.rounds) timed.client_cpu_ns = 3'500 * static_cast<std::int64_t>(timed.ops);
    real.what.peer = "PostgreSQL 15.20";
    real.what.placement = placement;
    summarize(real);
    all.push_back(real);
    all.push_back(stamped_cell("reals", "wall", stages, 20));
    all.push_back(stamped_cell("reals", "thread", stages_cpu, 200));
    for (auto& timed : all.back().rounds) timed.client_cpu_ns = 4'750 * static_cast<std::int64_t>(timed.ops);
    summarize(all.back());
    auto told = made_cell("told", "realt", "raw", wandering(80'000, rows, 0.002));
    for (auto& timed : told.rounds)
      timed.server_told_ns = static_cast<std::int64_t>(told_ns) * static_cast<std::int64_t>(timed.ops);
    all.push_back(told);
    return all;
  }

  attribution attributed() const {
    const auto all = cells();
    const auto made = attribute(all, compare(all, 0.02), facts());
    EXPECT_EQ(made.size(), 1u);
    return made.at(0);
  }

  static attribution_facts facts() {
    return {.told_by = "log_duration",
            .told_resolution_ns = 1'000,
            .reading_cost_ns = 20,
            .cpu_reading_cost_ns = 200};
  }
};

TEST(Attribution, FindsTheServersTimeAndCloses) {
  const auto made = made_ladder().attributed();
  EXPECT_EQ(made.cell, "real");
  ASSERT_TRUE(made.calibrated && made.calibrated->server_ns);
  EXPECT_NEAR(made.calibrated->server_ns->value, 60'000, 60);  // 0.1 %
  EXPECT_NEAR(made.calibrated->slope->value, 1, 0.001);
  EXPECT_NEAR(made.calibrated->client_ns.value, 7'000, 10);
  EXPECT_NEAR(made.calibrated->waiting_ns->value, 400, 60);
  EXPECT_NEAR(made.server_lo_ns->value, 54'000, 1);  // what it tells, less its resolution
  EXPECT_NEAR(made.server_hi_ns->value, 66'600, 1);  // send and wait
  EXPECT_NEAR(made.residual_ns->value, 0, 30);       // 67.4 us without stamps, as much in stages
  EXPECT_NEAR((*made.stages_ns)[1], 2'000, 1);
  EXPECT_TRUE(made.judged.closed) << made.judged.reasons.at(0);
  EXPECT_EQ(verdict_of(made.judged), "attribution closed");
}

// 5 readings of 0.2 us are taken off; with them the op's 3.5 us of CPU time were 4.75 us.
TEST(Attribution, TellsWhatTheThreadsClockCosts) {
  const auto& biases = made_ladder().attributed().biases;
  EXPECT_EQ(
      std::count(
          biases.begin(), biases.end(),
          "thread clock: 5.0 readings of 0.20 us per op are taken off its stages, and add 1.25 us to the "
          "op's CPU time"),
      1);
}

// The server's own counters say more than the null server's stopwatch: something else than the server is slow.
TEST(Attribution, IsOpenWhenTheServerTellsMore) {
  made_ladder ladder;
  ladder.told_ns = 64'100;
  const auto made = ladder.attributed();
  EXPECT_FALSE(made.judged.closed);
  ASSERT_TRUE(made.judged.unexplained_ns);
  EXPECT_NEAR(*made.judged.unexplained_ns, 3'100, 100);  // 63.1 us against 60
  EXPECT_EQ(verdict_of(made.judged).substr(0, 24), "attribution NOT closed: ");
  EXPECT_NE(verdict_of(made.judged).find("unexplained"), std::string::npos);
}

TEST(Attribution, IsOpenWhenTheClientDidNotWaitSoLong) {
  made_ladder ladder;
  ladder.server_ns = 70'000;  // the stages stay those of 60
  const auto made = ladder.attributed();
  EXPECT_FALSE(made.judged.closed);
  EXPECT_NEAR(*made.judged.unexplained_ns, 10'000, 300);
  EXPECT_EQ(made.judged.reasons.size(), 2u);  // beyond the window, and longer than its stages
}

TEST(Attribution, IsOpenWhenCpuTimeIsNotInTheStages) {
  made_ladder ladder;
  ladder.stages_cpu[2] = 200;  // 1 us of 3.5 is missing
  const auto made = ladder.attributed();
  EXPECT_FALSE(made.judged.closed);
  EXPECT_NEAR(*made.judged.unexplained_ns, 1'000, 1);
}

TEST(Attribution, IsOpenWhenTheServerIsNotPinned) {
  made_ladder ladder;
  ladder.placement = "unpinned";
  const auto made = ladder.attributed();
  EXPECT_FALSE(made.judged.closed);
  EXPECT_NE(made.judged.reasons.back().find("unpinned"), std::string::npos);
}

TEST(Attribution, SaysWhyThereIsNoLowerBound) {
  auto all = made_ladder().cells();
  all.back().rounds[3].server_told_ns.reset();  // another client came in
  const auto made = attribute(all, compare(all, 0.02), made_ladder::facts()).at(0);
  EXPECT_FALSE(made.server_lo_ns);
  EXPECT_NE(made.told_by.find("other clients"), std::string::npos);
  EXPECT_TRUE(made.judged.closed);
  EXPECT_FALSE(made.judged.unchecked.empty());
}

/// A ladder of service times, of which those between two others are looked for: 200 and 500 us.
std::vector<cell> ladder_of_known_times() {
  std::vector<cell> all{made_cell("raw", "tcp0", "raw", wandering(null_ns(0), rows, 0.002)),
                        made_cell("again", "tcp0", "raw", wandering(null_ns(0), rows, 0.003))};
  for (const double d : {1'000'000., 50'000., 200'000., 500'000.}) {
    auto& waiting = all.emplace_back(waiting_cell(d));
    for (auto& timed : waiting.rounds) timed.client_cpu_ns = 3'500 * static_cast<std::int64_t>(timed.ops);
    summarize(waiting);
  }
  for (const double d : {200'000., 500'000.}) {
    all.push_back(stamped_cell("tcpDs", "wall", {300, 2'000, d + 4'600, 0, 500}, 20));
    all.back().what.service_ns = static_cast<std::int64_t>(d);
    all.push_back(stamped_cell("tcpDs", "thread", {300, 1'500, 1'200, 0, 500}, 200));
    all.back().what.service_ns = static_cast<std::int64_t>(d);
  }
  return all;
}

// Without a real server the null server is one whose time is known: those between two others are found again.
TEST(Attribution, FindsAgainWhatWasPutIntoTheNullServer) {
  const auto all = ladder_of_known_times();
  const auto made = attribute(all, compare(all, 0.02), made_ladder::facts());
  ASSERT_EQ(made.size(), 2u);  // not those at the ends
  const double put_in[] = {200'000, 500'000};
  for (std::size_t i = 0; i < made.size(); ++i) {
    ASSERT_TRUE(made[i].calibrated && made[i].calibrated->server_ns) << i;
    EXPECT_NEAR(made[i].server_lo_ns->value, put_in[i], 1);
    EXPECT_NEAR(made[i].calibrated->server_ns->value, put_in[i], 0.001 * put_in[i]) << i;
    EXPECT_NEAR((*made[i].stages_ns)[2], put_in[i] + 4'600, 1);  // its own stages, not those of D = 0
    EXPECT_NEAR(made[i].residual_ns->value, 0, 0.001 * put_in[i]);
    EXPECT_TRUE(made[i].judged.closed) << made[i].judged.reasons.at(0);
  }
}

// Without stamps at its own service time a known time has no stages: those of another would say nothing of it.
TEST(Attribution, TakesNoStagesFromAnotherServiceTime) {
  auto all = ladder_of_known_times();
  std::erase_if(all,
                [](const cell& one) { return one.what.rung == "tcpDs" && one.what.service_ns == 200'000; });
  const auto made = attribute(all, compare(all, 0.02), made_ladder::facts());
  ASSERT_EQ(made.size(), 2u);
  EXPECT_FALSE(made[0].stages_ns);
  EXPECT_FALSE(made[0].judged.closed);
  EXPECT_TRUE(made[1].stages_ns);
}

/// Three connections of eight are slow: within a set rows say the same, so 128 of them are worth 8.
cell of_two_kinds_of_connections(cell made) {
  for (auto& timed : made.rounds)
    timed.elapsed_ns += timed.connection_set % 8 < 3 ? 20'000 : 0;  // 2 us per op
  summarize(made);
  return made;
}

// Eight sets of 16 rows: of eight draws five are slow often enough that the interval reaches them; of 128 draws 64 are not.
TEST(Attribution, IntervalsOfServerTimeAreOverConnectionSets) {
  constexpr std::size_t many = 128;
  std::vector<cell> all{made_cell("raw", "tcp0", "raw", wandering(null_ns(0), many, 0.002)),
                        made_cell("again", "tcp0", "raw", wandering(null_ns(0), many, 0.003))};
  for (const double d : {50'000., 200'000.}) {
    all.push_back(made_cell(std::to_string(d), "tcpD", "raw", wandering(null_ns(d), many, 0.002)));
    all.back().what.service_ns = static_cast<std::int64_t>(d);
    for (auto& timed : all.back().rounds)
      timed.delayed = delay_tally{timed.ops, static_cast<std::uint64_t>(d) * timed.ops};
  }
  all.push_back(
      of_two_kinds_of_connections(made_cell("real", "real", "raw", wandering(null_ns(60'000), many, 0.002))));
  const auto made = attribute(all, compare(all, 0.02), made_ladder::facts()).at(0);
  ASSERT_TRUE(made.calibrated && made.calibrated->server_ns && made.calibrated->server_ns->range);
  const auto& range = *made.calibrated->server_ns->range;
  EXPECT_NEAR(range.lo, 60'000, 100);
  EXPECT_NEAR(range.hi, 62'000, 100);
  EXPECT_EQ(made.biases.back().find("connections"), std::string::npos) << made.biases.back();
}

/// In row group `group`, whose rounds have `ops` ops, of which the first one takes 20 us longer.
cell in_group(cell made, std::uint64_t group, std::uint64_t ops) {
  made.group = group;
  for (auto& timed : made.rounds) {
    timed.elapsed_ns = timed.elapsed_ns / 10 * static_cast<std::int64_t>(ops) + 20'000;
    if (timed.delayed) timed.delayed = delay_tally{ops, timed.delayed->ns / 10 * ops};
    timed.ops = ops;
    timed.group = group;
  }
  summarize(made);
  return made;
}

// Rounds of 100, 25 and 5 ops: of their first ops' 20 us, an op has 0.2, 0.8 and 4 us. Taken as they are, the slope would be
// 1.004 and the service time of 60 us would be found at 60.8.
TEST(Attribution, RoundsOfFewOpsPutNoServerTimeIntoTheServer) {
  const auto bare = made_cell("raw", "tcp0", "raw", wandering(null_ns(0), rows, 0.002));
  auto zero = in_group(bare, 0, 100);
  for (const auto& anchor : {in_group(bare, 1, 25), in_group(bare, 2, 5)})
    zero.rounds.insert(zero.rounds.end(), anchor.rounds.begin(), anchor.rounds.end());
  const std::vector<cell> all{
      zero, in_group(waiting_cell(50'000), 0, 100), in_group(waiting_cell(200'000), 1, 25),
      in_group(waiting_cell(1'000'000), 2, 5),
      in_group(made_cell("real", "real", "raw", wandering(null_ns(60'000), rows, 0.002)), 1, 25)};
  const auto made = attribute(all, compare(all, 0.02), made_ladder::facts()).at(0);
  ASSERT_TRUE(made.calibrated && made.calibrated->server_ns);
  EXPECT_NEAR(made.calibrated->slope->value, 1, 1e-5);
  EXPECT_NEAR(made.calibrated->server_ns->value, 60'000, 5);
  EXPECT_NEAR(made.calibrated->client_ns.value, 7'800, 5);  // beside the target
}

TEST(Attribution, SaysWhenThereAreTooFewConnectionSets) {
  const auto made = made_ladder().attributed();  // 64 rows, 16 to a set
  EXPECT_EQ(
      made.biases.back(),
      "connections: 4 sets of them, 6 are needed for intervals over sets; those over rows may be too narrow");
}

TEST(Attribution, NeedsTheRungOnWhichTheNullServerWaits) {
  const std::vector<cell> all{made_cell("raw", "tcp0", "raw", wandering(7'000, rows, 0.002)),
                              made_cell("real", "real", "raw", wandering(60'000, rows, 0.002))};
  EXPECT_TRUE(attribute(all, compare(all, 0.02), made_ladder::facts()).empty());
}

TEST(Attribution, DoubtsStagesNearTheClocksCost) {
  const auto all = made_ladder().cells();
  auto facts = made_ladder::facts();
  const auto made = made_ladder().attributed();
  std::string codes;
  for (const auto& doubt : doubts_of(made, all, facts)) codes += doubt.code + " " + doubt.number + "\n";
  EXPECT_NE(codes.find("W-STAGE real: encode 0.30 us\n"), std::string::npos) << codes;  // 20 x 20 ns is 400
  facts.reading_cost_ns = 10;
  EXPECT_TRUE(doubts_of(made, all, facts).empty());
}

TEST(Attribution, DoubtsASpinningNullServerBesideOneThatSleeps) {
  auto all = made_ladder().cells();
  const auto made = made_ladder().attributed();
  for (auto& one : all) {
    one.per_op.server_cpu_ns = one.what.rung == "real" ? 9'000 : 3'000;  // 6 of 60 us
  }
  auto facts = made_ladder::facts();
  facts.reading_cost_ns = 1;
  auto doubts = doubts_of(made, all, facts);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(doubts[0].code, "W-DELAY");
  EXPECT_EQ(doubts[0].flag, "--delay-mode sleep");
  auto instant = made;
  instant.calibrated->server_ns->range->lo = -10;
  EXPECT_TRUE(doubts_of(instant, all, facts).empty());
  facts.mode = delay_mode::sleep;
  EXPECT_TRUE(doubts_of(made, all, facts).empty());
}

}  // namespace
}  // namespace bench
