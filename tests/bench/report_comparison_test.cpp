#include "bench/report_comparison.hpp"

#include "tests/bench/made_result.hpp"
#include "tests/support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace bench {
namespace {

using tests::has;

/// Two runs of which the later one found libmongoc slower by a fifth.
class ComparisonReport : public ::testing::Test {
 protected:
  ComparisonReport() {
    for (auto& timed : after_.cells[4].rounds) timed.elapsed_ns += timed.elapsed_ns / 5;
    summarize(after_.cells[4]);
    after_.comparisons = compare(after_.cells, 0.02);
  }

  comparison_report report() const {
    return {
        .a = {"a.json", &before_}, .b = {"b.json", &after_}, .found = compare_results(before_, after_, 0.02)};
  }

  result before_ = made_result();
  result after_ = made_result();
};

TEST_F(ComparisonReport, SaysThatItIsUnpairedAndWhatChanged) {
  const auto text = report_comparison(report(), false);
  EXPECT_TRUE(has(text, "b.json (after) against a.json (before), unpaired\n")) << text;
  EXPECT_TRUE(has(text, "  mongo.ping/driver/libmongoc 14.00 [")) << text;
  EXPECT_TRUE(has(text, "] 1.200 [")) << text;
  EXPECT_TRUE(has(text, " <0.001  slower\n")) << text;
  EXPECT_TRUE(has(text, "values: 200 rounds; p by Mann-Whitney, corrected by Holm for 5 rows")) << text;
  EXPECT_LT(text.find("times, us/op"), text.find("paired ratios of each file"));
}

TEST_F(ComparisonReport, PutsRatiosOnTopBetweenMachines) {
  before_.context.emplace_back("host", "lab");
  after_.context.emplace_back("host", "ci");
  const auto text = report_comparison(report(), false);
  EXPECT_LT(text.find("paired ratios of each file"), text.find("times, us/op"));
  EXPECT_TRUE(has(text, "  W-HOST host: lab -> ci: ")) << text;
  EXPECT_TRUE(has(text, "  different-environment\n")) << text;
}

TEST_F(ComparisonReport, TellsOfWorkParametersAndMissingCells) {
  count_as(after_.cells[2], {1, 1, 58, 45}, 3, 3'300, 3'400);
  after_.cells[4].what.placement = "unpinned";
  before_.cells.push_back(made_cell("mongo.ping/unix", "unix", "raw", {5, 6}));
  const auto text = report_comparison(report(), false);
  EXPECT_TRUE(has(text, "  mongo.ping/tcp0/raw: 3 system calls per op, were 2\n")) << text;
  EXPECT_TRUE(has(text, "  not comparable: mongo.ping/driver/libmongoc: placement same-cpu -> unpinned\n"))
      << text;
  EXPECT_TRUE(has(text, "  only in a.json: mongo.ping/unix\n")) << text;
}

TEST_F(ComparisonReport, SaysHowManyValuesAreMissing) {
  for (auto& one : after_.cells) one.rounds.resize(4);
  const auto text = report_comparison(report(), false);
  EXPECT_TRUE(has(text, "4 rounds are too few for a verdict among 5 rows")) << text;
  EXPECT_FALSE(has(text, "nan")) << text;
}

TEST_F(ComparisonReport, IsColouredOnlyWhenTold) {
  EXPECT_FALSE(has(report_comparison(report(), false), "\x1b"));
  EXPECT_TRUE(has(report_comparison(report(), true), "\x1b[31mslower\x1b[0m"));
}

TEST_F(ComparisonReport, AsJsonHoldsEveryRow) {
  const auto json = nlohmann::json::parse(comparison_json({report()}));
  EXPECT_EQ(json["tool"], "wirebench compare");
  const auto& one = json["comparisons"][0];
  EXPECT_EQ(one["before"], "a.json");
  EXPECT_EQ(one["leading"], "times_ns");
  ASSERT_EQ(one["times_ns"].size(), 5U);
  const auto& driver = one["times_ns"][4];
  EXPECT_EQ(driver["id"], "mongo.ping/driver/libmongoc");
  EXPECT_EQ(driver["before"]["median"], 14'000.0);
  EXPECT_EQ(driver["after"]["median"], 16'800.0);
  EXPECT_EQ(driver["verdict"], "slower");
  EXPECT_EQ(one["ratios"][1]["verdict"], "slower");
}

// Case C34: nothing measured is null, not NaN.
TEST_F(ComparisonReport, AsJsonIsStrict) {
  for (auto& one : after_.cells) {
    one.rounds.clear();
    summarize(one);
  }
  auto all = report();
  all.found.counts.push_back({"x", "bytes", 1, std::numeric_limits<double>::quiet_NaN()});
  const auto json = nlohmann::json::parse(comparison_json({all}));
  EXPECT_TRUE(json["comparisons"][0]["times_ns"][4]["after"].is_null());
  EXPECT_TRUE(json["comparisons"][0]["times_ns"][4]["ratio"].is_null());
  EXPECT_TRUE(json["comparisons"][0]["counts"][0]["after"].is_null());
}

}  // namespace
}  // namespace bench
