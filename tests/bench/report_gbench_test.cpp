#include "bench/report_gbench.hpp"

#include "tests/bench/made_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace bench {
namespace {

using nlohmann::json;

TEST(GbenchReport, MakesARepetitionOfEveryRound) {
  const auto report = json::parse(report_gbench(made_result()));
  ASSERT_EQ(report["benchmarks"].size(), 5U * 201);
  const auto& first = report["benchmarks"][4 * 201];
  EXPECT_EQ(first["name"], "mongo.ping/driver/libmongoc");
  EXPECT_EQ(first["run_name"], "mongo.ping/driver/libmongoc");
  EXPECT_EQ(first["run_type"], "iteration");
  EXPECT_EQ(first["repetitions"], 200);
  EXPECT_EQ(first["repetition_index"], 0);
  EXPECT_EQ(first["iterations"], 10);
  EXPECT_EQ(first["time_unit"], "ns");
  EXPECT_EQ(first["real_time"], 13'874.0);  // 14000 * (1 - 0.009), the first of a wandering cell
  EXPECT_EQ(first["cpu_time"], 10'000.0);
}

TEST(GbenchReport, TellsTheThreadsOfATightLoop) {
  auto made = made_result();
  made.cells.resize(2);
  made.cells[1].load = load::figures{.threads = 3};
  const auto benchmarks = json::parse(report_gbench(made))["benchmarks"];
  EXPECT_EQ(benchmarks.front()["threads"], 1);
  EXPECT_EQ(benchmarks.back()["threads"], 3);
}

TEST(GbenchReport, HasTheMedianAsAggregate) {
  const auto report = json::parse(report_gbench(made_result()));
  const auto& median = report["benchmarks"].back();
  EXPECT_EQ(median["name"], "mongo.ping/driver/libmongoc_median");
  EXPECT_EQ(median["run_type"], "aggregate");
  EXPECT_EQ(median["aggregate_name"], "median");
  EXPECT_EQ(median["real_time"], 14'000.0);
}

TEST(GbenchReport, LeavesOutRoundsOfOtherGroups) {
  auto made = made_result();
  made.cells.resize(1);
  made.cells[0].rounds[0].group = 1;
  EXPECT_EQ(json::parse(report_gbench(made))["benchmarks"].size(), 200U);
}

TEST(GbenchReport, TellsTheMachine) {
  auto made = made_result();
  made.context = {{"started", "2026-11-30T19:00:00Z"},
                  {"host", "lab"},
                  {"cpus", "2"},
                  {"governor", "powersave"},
                  {"build_type", "debugoptimized"},
                  {"load", "3.10 1.20 0.5 2/345 6789"}};
  EXPECT_EQ(json::parse(report_gbench(made))["context"], json::parse(R"({
    "date": "2026-11-30T19:00:00Z", "host_name": "lab", "executable": "wirebench", "num_cpus": 2,
    "cpu_scaling_enabled": true, "load_avg": [3.1, 1.2, 0.5], "library_build_type": "debug"})"));
}

// Case C34.
TEST(GbenchReport, OfNothingMeasuredIsStrictJson) {
  EXPECT_EQ(json::parse(report_gbench({}))["benchmarks"], json::array());
  EXPECT_EQ(json::parse(report_gbench(unmeasured_result()))["benchmarks"], json::array());
}

}  // namespace
}  // namespace bench
