// `wirebench ladder --processes`, as a user runs it.

#include "tests/integration/command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

namespace {

using nlohmann::json;
using tests::run_wirebench;
using tests::scratch;

TEST(processes, put_their_rounds_into_one_result) {
  const scratch place;
  const auto run = run_wirebench({"ladder", "--op", "ping", "--rung", "unix,tcp0", "--processes", "2",
                                  "--budget", "3", "--seed", "5", "--json"},
                                 place);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto report = json::parse(run.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded());
  const auto text_of_warnings = report["warnings"].dump();  // a disturbed process may be left out
  const auto& op = report["plan"]["ops"][0];
  EXPECT_EQ(report["plan"]["seed"], 5);
  EXPECT_NE(report["context"]["command"].get<std::string>().find("--processes 2"), std::string::npos);
  EXPECT_TRUE(report["context"].contains("environment_padding_bytes"));
  ASSERT_EQ(report["cells"].size(), 3U);
  for (const auto& cell : report["cells"]) {
    std::set<int> processes;
    std::uint64_t row = 0;
    for (const auto& round : cell["rounds"]) {
      EXPECT_EQ(round["row"], row++) << "rows count on";
      processes.insert(round["process"].get<int>());
    }
    if (text_of_warnings.find("W-GROUPS") != std::string::npos) GTEST_SKIP() << text_of_warnings;
    EXPECT_EQ(processes, (std::set<int>{0, 1}));
    EXPECT_EQ(op["processes"], 2);
    EXPECT_EQ(op["rows"], row);
    EXPECT_TRUE(cell["median_ns"].is_number());
  }
  EXPECT_EQ(report["comparisons"].size(), 2U);
  EXPECT_EQ(place.results().size(), 1U) << "the processes' own results are not kept";
  EXPECT_TRUE(std::filesystem::is_empty(place.path("/tmp")));
}

TEST(processes, that_fail_say_why_as_one) {
  const auto run =
      run_wirebench({"ladder", "--op", "ping", "--rung", "mem", "--processes", "3", "--budget", "0.5"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(tests::lines_of(run.err), 1U) << run.err;
  EXPECT_NE(run.err.find("process 1: a budget of"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("raise --budget"), std::string::npos) << run.err;
}

TEST(processes, that_are_interrupted_leave_what_was_measured) {
  const scratch place;
  tests::command program(
      {tests::wirebench(), "ladder", "--op", "ping", "--rung", "mem", "--processes", "2", "--budget", "60"},
      place);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  program.signal(SIGINT);
  const auto run = program.wait();
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_LE(place.results().size(), 1U);
  EXPECT_TRUE(std::filesystem::is_empty(place.path("/tmp")));
}

}  // namespace
