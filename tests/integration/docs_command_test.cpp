// `wirebench docs` as a user runs it.

#include "tests/integration/command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <set>
#include <thread>

namespace {

using tests::run_wirebench;
using tests::scratch;

TEST(docs, saves_what_it_prints) {
  const scratch place;
  const auto run =
      run_wirebench({"docs", "--count", "2000", "--batch", "50", "--threads", "2", "--json"}, place);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto printed = nlohmann::json::parse(run.out);
  std::set<std::string> cells;
  for (const auto& row : printed["docs"]) {
    cells.insert(row["cell"]);
    EXPECT_EQ(row["documents"], std::string(row["cell"]).starts_with("find") ? 200 : 2000);
    EXPECT_EQ(row["threads"], 2);
  }
  EXPECT_EQ(cells.size(), 12u);
  EXPECT_TRUE(cells.contains("update_int64/driver/libmongoc"));
  ASSERT_EQ(place.results().size(), 1u);
  EXPECT_EQ(tests::whole_file(place.results().front()), run.out);
  EXPECT_EQ(tests::without_warnings(run.err), "saved as " + place.results().front() + "\n");

  const auto shown = run_wirebench({"report", place.results().front()});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("50 per command, 2 threads"), std::string::npos) << shown.out;
  const auto bench = run_wirebench({"report", place.results().front(), "--format", "mongo-bench"});
  ASSERT_EQ(bench.code, 0) << bench.err;
  EXPECT_NE(bench.out.find("(mongo_bench)"), std::string::npos) << bench.out;
}

TEST(docs, takes_a_server_by_uri_with_its_pid) {
  tests::served null("mongo");
  const auto pid = std::to_string(null.program().pid());
  const scratch place;
  const auto run = run_wirebench(
      {"docs", "--count", "500", "--batch", "20", "--real", null.uri(), "--server-pid", pid, "--json"},
      place);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto printed = nlohmann::json::parse(run.out);
  ASSERT_EQ(printed["docs"].size(), 24u);
  for (const auto& row : printed["docs"]) EXPECT_FALSE(row["server_cpu_ns"].is_null()) << row["cell"];
  for (const auto& cell : printed["cells"]) {
    EXPECT_EQ(cell["placement"], cell["rung"] == "real" ? "unpinned" : "same-cpu") << cell["id"];
  }
}

TEST(docs, an_unreachable_server_is_one_line) {
  const auto run = run_wirebench({"docs", "--count", "100", "--real", "mongodb://127.0.0.1:1/"});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(tests::lines_of(run.err), 1u) << run.err;
  EXPECT_NE(run.err.find("127.0.0.1:1"), std::string::npos) << run.err;
}

/// `docs` for longer than any machine takes, interrupted after a while.
tests::ended interrupted_after(std::chrono::seconds wait, const scratch& place) {
  tests::command docs({tests::wirebench(), "docs", "--count", "2000000", "--found", "100", "--json"}, place);
  std::this_thread::sleep_for(wait);
  docs.signal(SIGINT);
  return docs.wait();
}

/// A machine that has not one row after the first wait gets longer ones.
TEST(docs, ctrl_c_keeps_what_was_measured) {
  const scratch place;
  tests::ended run;
  for (const int seconds : {3, 12, 48}) {
    run = interrupted_after(std::chrono::seconds(seconds), place);
    ASSERT_EQ(run.code, 130) << run.err;
    if (!run.out.empty()) break;
  }
  const auto printed = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_FALSE(printed.is_discarded());
  EXPECT_GE(printed["docs"].size(), 2u);
  EXPECT_EQ(printed["plan"]["ops"].back()["ended_by"], "stop");
}

}  // namespace
