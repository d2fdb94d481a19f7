#include "bench/file_comparison.hpp"

#include "tests/bench/made_result.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace bench {
namespace {

/// made_result() with the times of some clients multiplied, as a later run would have found them.
result later(double factor, const std::vector<std::string>& clients) {
  auto made = made_result();
  for (auto& one : made.cells) {
    if (std::find(clients.begin(), clients.end(), one.what.client) == clients.end()) continue;
    for (auto& timed : one.rounds)
      timed.elapsed_ns = static_cast<std::int64_t>(static_cast<double>(timed.elapsed_ns) * factor);
    summarize(one);
  }
  made.comparisons = compare(made.cells, made.plan.delta);
  return made;
}

const compared_row& row(const std::vector<compared_row>& rows, const std::string& title) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const compared_row& one) { return one.title == title; });
  if (found == rows.end()) throw std::invalid_argument("no row " + title);
  return *found;
}

constexpr const char* driver_time = "mongo.ping/driver/libmongoc";
constexpr const char* driver_ratio = "mongo.ping: libmongoc over raw";

TEST(FileComparison, OfEqualFilesIsEquivalent) {
  const auto found = compare_results(made_result(), made_result(), 0.02);
  ASSERT_EQ(found.times.size(), 5U);
  ASSERT_EQ(found.ratios.size(), 2U);  // raw over floor, driver over raw; raw over itself is no question here
  for (const auto* table : {&found.times, &found.ratios}) {
    for (const auto& one : *table) {
      EXPECT_EQ(one.says, verdict::equivalent) << one.title;
      EXPECT_EQ(one.found->ratio, 1.0) << one.title;
      EXPECT_EQ(one.values_a, 200U) << one.title;
    }
  }
  EXPECT_TRUE(found.warnings.empty() && found.counts.empty() && found.parameters.empty());
  EXPECT_FALSE(found.ratios_lead);
  EXPECT_TRUE(is_conclusive(found));
  EXPECT_TRUE(slower_by_more(found, 0.05).empty());
}

TEST(FileComparison, FindsADriverThatBecameSlower) {
  const auto found = compare_results(made_result(), later(1.2, {"libmongoc"}), 0.02);
  const auto& time = row(found.times, driver_time);
  EXPECT_EQ(time.says, verdict::slower);
  EXPECT_NEAR(time.found->ratio, 1.2, 1e-3);
  EXPECT_NEAR(time.found->a.value, 14'000, 1);
  EXPECT_NEAR(time.found->b.value, 16'800, 1);
  const auto& ratio = row(found.ratios, driver_ratio);
  EXPECT_EQ(ratio.says, verdict::slower);
  EXPECT_NEAR(ratio.found->a.value, 2.0, 0.01);
  EXPECT_NEAR(ratio.found->b.value, 2.4, 0.012);
  EXPECT_NEAR(ratio.found->ratio, 1.2, 1e-3);
  EXPECT_EQ(row(found.times, "mongo.ping/tcp0/raw").says, verdict::equivalent);
}

TEST(FileComparison, GateFiresOnlyBeyondItsShare) {
  const auto found = compare_results(made_result(), later(1.2, {"libmongoc"}), 0.02);
  ASSERT_EQ(slower_by_more(found, 0.05).size(), 1U);
  EXPECT_EQ(slower_by_more(found, 0.05).front()->id, driver_time);
  EXPECT_EQ(slower_by_more(found, 0.15).size(), 1U);
  EXPECT_TRUE(slower_by_more(found, 0.21).empty());
  EXPECT_TRUE(slower_by_more(compare_results(later(1.2, {"libmongoc"}), made_result(), 0.02), 0.05).empty());
}

TEST(FileComparison, ShiftOfTheWholeMachineIsNobodysRegression) {
  const auto found = compare_results(made_result(), later(1.1, {"floor", "raw", "libmongoc"}), 0.02);
  for (const auto& one : found.times) EXPECT_EQ(one.says, verdict::inconclusive) << one.title;
  for (const auto& one : found.ratios) EXPECT_EQ(one.says, verdict::equivalent) << one.title;
  EXPECT_TRUE(found.ratios_lead);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0].code, "W-MACHINE");
  EXPECT_TRUE(slower_by_more(found, 0.02).empty());
}

TEST(FileComparison, FindsARegressionOnAMachineThatShifted) {
  auto after = later(1.1, {"floor", "raw"});
  const auto slow = later(1.1 * 1.3, {"libmongoc"});
  after.cells[4] = slow.cells[4];
  after.comparisons = compare(after.cells, 0.02);
  const auto found = compare_results(made_result(), after, 0.02);
  ASSERT_EQ(slower_by_more(found, 0.05).size(), 1U);
  EXPECT_EQ(slower_by_more(found, 0.05).front()->title, driver_ratio);
  EXPECT_EQ(row(found.times, driver_time).says, verdict::slower);  // by more than the floor moved
}

TEST(FileComparison, BetweenMachinesRatiosLeadAndTimesSayNothing) {
  auto after = later(1.2, {"libmongoc"});
  after.context.emplace_back("host", "ci");
  auto before = made_result();
  before.context.emplace_back("host", "lab");
  const auto found = compare_results(before, after, 0.02);
  EXPECT_TRUE(found.ratios_lead);
  for (const auto& one : found.times) EXPECT_EQ(one.says, verdict::different_environment) << one.title;
  EXPECT_EQ(row(found.ratios, driver_ratio).says, verdict::slower);
  EXPECT_EQ(slower_by_more(found, 0.05).size(), 1U);
}

TEST(FileComparison, BetweenBuildsNothingIsSaid) {
  auto before = made_result(), after = later(1.2, {"libmongoc"});
  before.context.emplace_back("build_type", "release");
  after.context.emplace_back("build_type", "debug");
  const auto found = compare_results(before, after, 0.02);
  for (const auto* table : {&found.times, &found.ratios}) {
    for (const auto& one : *table) EXPECT_EQ(one.says, verdict::different_environment) << one.title;
  }
  EXPECT_FALSE(is_conclusive(found));
  EXPECT_TRUE(slower_by_more(found, 0.05).empty());
}

TEST(FileComparison, OtherPlacementIsAnotherParameter) {
  auto after = made_result();
  after.cells[4].what.placement = "unpinned";
  after.cells[0].what.peer = "PostgreSQL 15";
  const auto found = compare_results(made_result(), after, 0.02);
  EXPECT_EQ(found.parameters,
            (std::vector<std::string>{"mongo.ping/floor: server null -> PostgreSQL",
                                      "mongo.ping/driver/libmongoc: placement same-cpu -> unpinned"}));
  EXPECT_EQ(row(found.times, driver_time).says, verdict::different_environment);
  EXPECT_EQ(row(found.ratios, driver_ratio).says, verdict::different_environment);
  EXPECT_EQ(row(found.times, "mongo.ping/tcp0/raw").says, verdict::equivalent);
}

TEST(FileComparison, ProfileOfTheNullServerIsAParameter) {
  auto before = made_result(), after = made_result();
  before.cells[4].what.profile = "standalone";
  after.cells[4].what.profile = "replica-set";
  EXPECT_EQ(compare_results(before, after, 0.02).parameters,
            std::vector<std::string>{"mongo.ping/driver/libmongoc: profile standalone -> replica-set"});
}

TEST(FileComparison, WhatATightLoopWasToldIsAParameter) {
  auto before = made_result(), after = made_result();
  before.cells[4].load = load::figures{.io = "blocking", .connections = 1};
  after.cells[4].load = load::figures{.io = "epoll",
                                      .connections = 16,
                                      .schedule = load::schedule_figures{.rate = 500, .arrivals = "poisson"}};
  EXPECT_EQ(
      compare_results(before, after, 0.02).parameters,
      std::vector<std::string>{"mongo.ping/driver/libmongoc: io blocking -> epoll, connections 1 -> 16, "
                               "rate closed loop -> 500"});
}

TEST(FileComparison, StatementAndItsParametersAreParameters) {
  auto before = made_result(), after = made_result();
  before.cells[4].load = load::figures{.sql = "SELECT $1", .parameters = {"int4:1..9", "int8:0..1"}};
  after.cells[4].load = load::figures{.sql = "SELECT $2", .parameters = {"int4:1..10"}};
  EXPECT_EQ(
      compare_results(before, after, 0.02).parameters,
      std::vector<std::string>{"mongo.ping/driver/libmongoc: statement SELECT $1 -> SELECT $2, parameters "
                               "int4:1..9 int8:0..1 -> int4:1..10"});
}

TEST(FileComparison, HowAServiceTimePassesIsAParameter) {
  auto before = made_result(), after = made_result();
  before.cells[4].what.delay_mode = "spin";
  after.cells[4].what.delay_mode = "sleep";
  EXPECT_EQ(compare_results(before, after, 0.02).parameters,
            std::vector<std::string>{"mongo.ping/driver/libmongoc: delay mode spin -> sleep"});
}

TEST(FileComparison, DocumentWorkloadsHaveParametersOfTheirOwn) {
  auto before = made_result(), after = made_result();
  before.docs = {{.cell = "mongo.ping/mem", .threads = 1, .batch = 100, .document_bytes = 400}};
  after.docs = {{.cell = "mongo.ping/mem", .threads = 4, .batch = 100, .document_bytes = 400}};
  EXPECT_EQ(compare_results(before, after, 0.02).parameters,
            std::vector<std::string>{"mongo.ping/mem: threads 1 -> 4"});
}

TEST(FileComparison, FileServersHaveParametersOfTheirOwn) {
  auto before = made_result(), after = made_result();
  before.files = {{.cell = "mongo.ping/mem", .how = "chunks of 7", .threads = 1, .file_bytes = 400}};
  after.files = {{.cell = "mongo.ping/mem", .how = "chunks of 8", .threads = 1, .file_bytes = 500}};
  EXPECT_EQ(
      compare_results(before, after, 0.02).parameters,
      std::vector<std::string>{"mongo.ping/mem: file bytes 400 -> 500, form chunks of 7 -> chunks of 8"});
}

TEST(FileComparison, ServersVersionAndAddressAreNoParameters) {
  auto before = made_result(), after = made_result();
  before.cells[4].what.peer = "PostgreSQL 15.1";
  after.cells[4].what.peer = "PostgreSQL 15.2";
  EXPECT_TRUE(compare_results(before, after, 0.02).parameters.empty());
  before.cells[4].what.peer = "127.0.0.1:36411";
  after.cells[4].what.peer = "127.0.0.1:37797";
  EXPECT_TRUE(compare_results(before, after, 0.02).parameters.empty());
}

TEST(FileComparison, NamesCellsThatOnlyOneFileHolds) {
  auto before = made_result(), after = made_result();
  after.cells.erase(after.cells.begin() + 4);
  after.comparisons = compare(after.cells, 0.02);
  before.cells.erase(before.cells.begin() + 1);
  const auto found = compare_results(before, after, 0.02);
  EXPECT_EQ(found.only_in_a, std::vector<std::string>{driver_time});
  EXPECT_EQ(found.only_in_b, std::vector<std::string>{"mongo.ping/mem"});
  EXPECT_FALSE(is_conclusive(found));
}

TEST(FileComparison, PassesOverCellsThatOnlyLookCloserAndInteractions) {
  auto before = made_result(), after = made_result();
  for (auto* made : {&before, &after}) {
    made->cells[3].what.stamps = "wall";
    made->comparisons.push_back(made->comparisons.back());
    made->comparisons.back().asks = question::interaction;
  }
  const auto found = compare_results(before, after, 0.02);
  EXPECT_EQ(found.times.size(), 4U);
  EXPECT_EQ(found.ratios.size(), 2U);
  EXPECT_TRUE(found.only_in_a.empty() && found.only_in_b.empty());
}

TEST(FileComparison, FindsWorkThatChanged) {
  auto after = made_result();
  count_as(after.cells[2], {1, 1, 58, 45}, 3, 3'300, 3'400);
  const auto found = compare_results(made_result(), after, 0.02);
  ASSERT_EQ(found.counts.size(), 1U);
  EXPECT_EQ(found.counts[0].id, "mongo.ping/tcp0/raw");
  EXPECT_STREQ(found.counts[0].unit, "system calls");
  EXPECT_EQ(found.counts[0].a, 2);
  EXPECT_EQ(found.counts[0].b, 3);
}

/// Ops that were in flight when a peer was asked leave fractions behind.
TEST(FileComparison, ComparesWholeCountsAlone) {
  auto before = made_result(), after = made_result();
  before.cells[4].per_op.bytes_out = 94.0003;
  after.cells[4].per_op.bytes_out = 94;
  EXPECT_TRUE(compare_results(before, after, 0.02).counts.empty());
  before.cells[4].per_op.bytes_out = 93;
  EXPECT_EQ(compare_results(before, after, 0.02).counts.size(), 1U);
}

TEST(FileComparison, FindsAllocationsThatChanged) {
  auto before = made_result(), after = made_result();
  before.cells[2].counts = cell_counts{.allocations = 0};
  after.cells[2].counts = cell_counts{.allocations = 1.5};
  const auto found = compare_results(before, after, 0.02);
  ASSERT_EQ(found.counts.size(), 1U);
  EXPECT_STREQ(found.counts[0].unit, "allocations");
  EXPECT_EQ(found.counts[0].b, 1.5);
}

TEST(FileComparison, TooFewRoundsHaveNoVerdict) {
  auto after = later(2, {"libmongoc"});
  for (auto& one : after.cells) one.rounds.resize(4);
  after.comparisons = compare(after.cells, 0.02);
  const auto found = compare_results(made_result(), after, 0.02);
  EXPECT_EQ(row(found.times, driver_time).says, verdict::inconclusive);
  EXPECT_TRUE(row(found.times, driver_time).found->too_few);
  EXPECT_FALSE(is_conclusive(found));
}

TEST(FileComparison, OfCellsWithoutRoundsHasNoFigures) {
  auto after = made_result();
  after.cells[4].rounds.clear();
  summarize(after.cells[4]);
  const auto found = compare_results(made_result(), after, 0.02);
  EXPECT_FALSE(row(found.times, driver_time).found);
  EXPECT_EQ(row(found.times, driver_time).says, verdict::inconclusive);
  EXPECT_FALSE(row(found.ratios, driver_ratio).found);
}

/// Times of two levels by turns of 16 rows, as connections make them: the rounds of a set hang together.
TEST(FileComparison, TakesConnectionSetsWhereTheirRoundsHangTogether) {
  auto made = made_result();
  for (auto& timed : made.cells[4].rounds) {
    if (timed.connection_set % 3 == 1) timed.elapsed_ns += timed.elapsed_ns / 20;
  }
  const auto found = compare_results(made, made_result(), 0.02);
  const auto& time = row(found.times, driver_time);
  EXPECT_STREQ(time.sample, "connection sets");
  EXPECT_EQ(time.values_a, 13U);  // 200 rows of 16
  EXPECT_EQ(time.values_b, 13U);
}

/// A per cent and a half between two processes may be the layout of their memory, however narrow the interval.
TEST(FileComparison, OneProcessASideTellsNothingBelowTheThreshold) {
  const auto spread = [](double op_ns) {
    std::vector<double> values;
    for (int i = 0; i < 200; ++i) values.push_back(op_ns * (1 + 0.0005 * ((i * 37) % 100 - 50)));
    return values;
  };
  auto before = made_result(), after = made_result();
  before.cells[4] = made_cell(driver_time, "driver", "libmongoc", spread(14'000));
  after.cells[4] = made_cell(driver_time, "driver", "libmongoc", spread(14'210));
  const auto found = compare_results(before, after, 0.02);
  const auto& time = row(found.times, driver_time);
  EXPECT_GT(time.found->bounds->lo, 1.0);
  EXPECT_GT(time.found->bounds->hi, 1.02);
  EXPECT_LT(time.found->p, 0.001);
  EXPECT_EQ(time.says, verdict::inconclusive);
  EXPECT_EQ(row(compare_results(before, after, 0.01).times, driver_time).says, verdict::slower);
}

TEST(FileComparison, TakesProcessesWhereThereAreEnough) {
  auto before = made_result(), after = made_result();
  for (auto* made : {&before, &after}) {
    for (auto& one : made->cells) {
      for (auto& timed : one.rounds) timed.process = timed.row / 10;
    }
  }
  auto found = compare_results(before, after, 0.02);
  for (const auto* table : {&found.times, &found.ratios}) {
    for (const auto& one : *table) {
      EXPECT_STREQ(one.sample, "processes") << one.title;
      EXPECT_EQ(one.values_a, 20U) << one.title;
    }
  }
  for (auto& one : after.cells) {
    for (auto& timed : one.rounds) timed.process = timed.row / 100;  // two are too few
  }
  found = compare_results(before, after, 0.02);
  EXPECT_STREQ(row(found.times, driver_time).sample, "rounds");
}

TEST(FileComparison, RoundsInTwoModesHaveNoVerdict) {
  auto after = made_result();
  for (auto& timed : after.cells[4].rounds) {
    if (timed.row % 2 == 1) timed.elapsed_ns *= 3;
  }
  after.comparisons = compare(after.cells, 0.02);
  const auto found = compare_results(made_result(), after, 0.02);
  EXPECT_EQ(row(found.times, driver_time).says, verdict::inconclusive);
  EXPECT_EQ(row(found.ratios, driver_ratio).says, verdict::inconclusive);
}

}  // namespace
}  // namespace bench
