// `wirebench ladder --count` and `wirebench loop --counts`, as a user runs them.

#include "tests/integration/command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using nlohmann::json;
using tests::run_wirebench;
using tests::words;

/// The report of one or more ops on two rungs with those kinds counted.
json counted(const std::string& op, const std::string& kinds) {
  const auto run = run_wirebench(
      {"ladder", "--op", op, "--rung", "tcp0,driver", "--budget", "1.5", "--count", kinds, "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  auto report = json::parse(run.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << run.err;
  return report;
}

json counts_of(const json& report, const std::string& op, const std::string& client) {
  for (const auto& cell : report["cells"]) {
    if (cell["op"] == op && cell["client"] == client) return cell["counts"];
  }
  return {};
}

TEST(counting, raw_allocates_nothing_and_calls_the_kernel_twice) {
  const auto report = counted("ping,insert_one", "memory,heap,syscalls");
  ASSERT_TRUE(report.is_object());
  const auto raw = counts_of(report, "ping", "raw");
  const auto driver = counts_of(report, "ping", "libmongoc");
  EXPECT_GT(raw["rss_peak_bytes"], 1'000'000);
  EXPECT_GT(driver["rss_peak_bytes"], 1'000'000);
  EXPECT_EQ(raw["payload_copies_bytes"], 0);
  EXPECT_EQ(counts_of(report, "insert_one", "raw")["payload_copies_bytes"], 400)
      << "below 1 KiB a copy of the document is cheaper than a segment";
  EXPECT_TRUE(driver["payload_copies_bytes"].is_null());
  EXPECT_TRUE(raw["instructions"].is_null()) << "not asked for";
  if (report["context"]["sanitizers"] != "none") {
    EXPECT_TRUE(raw["allocations"].is_null());
    EXPECT_TRUE(raw["unknown"].contains("heap"));
  } else {
    EXPECT_EQ(raw["allocations"], 0);
    EXPECT_EQ(raw["heap_growth_bytes"], 0);
    EXPECT_GT(driver["allocations"], 0);
    EXPECT_GT(driver["live_heap_peak_bytes"], 0);
  }
  if (raw["unknown"].contains("syscalls")) GTEST_SKIP() << raw["unknown"]["syscalls"];
  const json one_of_each{{"sendto", 1}, {"recvfrom", 1}};
  EXPECT_EQ(raw["syscalls_by_kind"], one_of_each);
  EXPECT_EQ(counts_of(report, "insert_one", "raw")["syscalls_by_kind"], one_of_each);
  EXPECT_GE(driver["syscalls_by_kind"]["sendmsg"], 1);
}

TEST(counting, raw_executes_fewer_instructions_than_libpq) {
  const auto report = counted("select_param", "instructions");
  ASSERT_TRUE(report.is_object());
  const auto raw = counts_of(report, "select_param", "raw");
  const auto driver = counts_of(report, "select_param", "libpq");
  if (!raw["unknown"].empty()) GTEST_SKIP() << raw["unknown"];
  EXPECT_GT(raw["instructions"], 100);
  EXPECT_GT(driver["instructions"], 1'000);
  EXPECT_TRUE(raw["instructions_by"].is_string());
#ifdef __OPTIMIZE__
  EXPECT_LT(raw["instructions"], driver["instructions"]);
#endif
}

/// Against a replica set libmongoc's inserts carry a session and a transaction number, which it builds anew each time.
TEST(counting, is_done_against_the_profile_of_the_cell) {
  const auto of_driver = [](const char* profile) {
    const auto run = run_wirebench({"ladder", "--op", "insert_one", "--rung", "driver", "--budget", "1.5",
                                    "--count", "heap", "--json", "--profile", profile});
    const auto report = json::parse(run.out, nullptr, false);
    EXPECT_FALSE(report.is_discarded()) << run.err;
    return report.is_discarded() ? json() : counts_of(report, "insert_one", "libmongoc");
  };
  const auto plain = of_driver("no-sessions");
  const auto replicated = of_driver("replica-set");
  ASSERT_TRUE(plain.is_object() && replicated.is_object());
  if (plain["allocations"].is_null()) GTEST_SKIP() << plain["unknown"];
  EXPECT_NE(plain["allocations"], replicated["allocations"]);
}

TEST(counting, is_not_done_unasked) {
  const auto run = run_wirebench({"ladder", "--op", "ping", "--rung", "mem", "--budget", "0.8", "--json"});
  const auto report = json::parse(run.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << run.err;
  EXPECT_TRUE(report["cells"][0]["counts"].is_null());
}

TEST(counting, knows_its_words) {
  const auto run = run_wirebench({"ladder", "--count", "time"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("'time'; there are memory, heap, syscalls, instructions, and all"),
            std::string::npos)
      << run.err;
}

TEST(loop, stands_on_the_rung_that_it_is_told) {
  for (const words& arguments : {words{"loop", "raw", "ping", "10", "--rung", "mem"},
                                 {"loop", "raw", "select1", "10", "--rung", "unix", "--warm-up", "5"}}) {
    const auto run = run_wirebench(arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out + run.err, "");
  }
  const auto run = run_wirebench({"loop", "libpq", "select1", "10", "--rung", "mem"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err, "wirebench: libpq does not stand on the rung mem of select1\n");
}

TEST(loop, prints_what_it_counts_about_itself) {
  const auto run = run_wirebench({"loop", "raw", "select1", "10", "--warm-up", "5", "--counts"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("ops 10\n")) << run.out;
  EXPECT_NE(run.out.find("\npayload_copies_bytes 0\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\nrss_peak_bytes "), std::string::npos) << run.out;
}

}  // namespace
