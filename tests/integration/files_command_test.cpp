// `wirebench files` as a user runs it.

#include "tests/integration/command.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <thread>

namespace {

using nlohmann::json;
using tests::run_wirebench;
using tests::scratch;

const std::vector<std::string> small = {"--files", "12",           "--bytes", "600000", "--threads",
                                        "3",       "--per-thread", "4",       "--json"};

tests::ended run_small(tests::words words, const scratch& place) {
  words.insert(words.begin(), "files");
  words.insert(words.end(), small.begin(), small.end());
  return run_wirebench(words, place);
}

/// The rows of a store by their phases.
std::map<std::string, json> rows_of(const json& printed, const std::string& store) {
  std::map<std::string, json> rows;
  for (const auto& row : printed["files"]) {
    if (row["store"] == store) rows[row["phase"]] = row;
  }
  return rows;
}

void expect_whole(const json& printed, const std::string& store, std::uint64_t duplicates) {
  auto rows = rows_of(printed, store);
  ASSERT_EQ(rows.size(), 6u) << store;
  for (const auto& [phase, row] : rows) {
    EXPECT_EQ(row["failed"], 0) << row;
    EXPECT_TRUE(row["retries"].empty()) << row;
    if (!phase.starts_with("store")) {
      EXPECT_EQ(row["files"], 12) << row;
    }
  }
  EXPECT_EQ(rows["register"]["duplicates"].get<std::uint64_t>() +
                rows["register_threads"]["duplicates"].get<std::uint64_t>(),
            duplicates);
  EXPECT_EQ(rows["store"]["files"].get<std::uint64_t>() + rows["store_threads"]["files"].get<std::uint64_t>(),
            24 - duplicates);
  EXPECT_EQ(rows["read_random"]["payload_bytes"], 12 * 600'000);
}

TEST(files, saves_what_it_prints_of_null_servers_and_a_folder) {
  const scratch place;
  const auto run = run_small({}, place);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto printed = json::parse(run.out);
  for (const auto* store : {"fs", "gridfs", "lo", "bytea"}) {
    expect_whole(printed, store, 0);
    auto rows = rows_of(printed, store);
    const bool folder = std::string_view(store) == "fs";
    EXPECT_EQ(rows["read_in_order"]["check"], folder ? "bytes" : "length");
    EXPECT_EQ(rows["store_threads"]["disk_bytes"].is_null(), !folder);
    EXPECT_EQ(rows["store"]["server_peak_bytes"].is_null(), folder);
  }
  ASSERT_EQ(place.results().size(), 1u);
  EXPECT_EQ(tests::whole_file(place.results().front()), run.out);
  EXPECT_TRUE(std::filesystem::is_empty(place.path("/tmp"))) << "files are left";

  const auto shown = run_wirebench({"report", place.results().front()});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("files of 600000 bytes"), std::string::npos) << shown.out;
}

TEST(files, on_real_servers_are_read_as_they_were_stored) {
  const scratch place;
  // PostgreSQL does not run as root, and its directory must be reached by whom it runs as.
  std::filesystem::permissions(place.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(place.path("/tmp"), std::filesystem::perms(0755));
  const auto run =
      run_small({"--real", "pg", "--real", "mongo", "--duplicates", "25", "--repetitions", "2"}, place);
  ASSERT_EQ(run.code, 0) << run.err;
  auto printed = json::parse(run.out);
  for (const auto* store : {"fs", "gridfs", "lo", "bytea"}) {
    auto rows = rows_of(printed, store);
    EXPECT_EQ(rows["register"]["files"], 24) << "two repetitions";
    EXPECT_EQ(rows["register"]["duplicates"].get<int>() + rows["register_threads"]["duplicates"].get<int>(),
              12);
    EXPECT_EQ(rows["store"]["files"].get<int>() + rows["store_threads"]["files"].get<int>(), 36);
    EXPECT_EQ(rows["read_in_order"]["check"], "bytes");
    EXPECT_EQ(rows["read_in_order"]["files"], 24);
    EXPECT_EQ(rows["read_random"]["files"], 24);
    EXPECT_GT(rows["store_threads"]["disk_bytes"].get<std::int64_t>(), 18 * 600'000) << store;
  }
  EXPECT_GT(rows_of(printed, "lo")["store"]["server_processes"], 4)
      << "the server and one for each connection";
}

TEST(files, an_unreachable_server_is_one_line) {
  const auto run = run_wirebench({"files", "gridfs", "--real", "mongodb://127.0.0.1:1/"});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(tests::lines_of(run.err), 1u) << run.err;
  EXPECT_NE(run.err.find("127.0.0.1:1"), std::string::npos) << run.err;
}

TEST(files, ctrl_c_keeps_what_was_measured) {
  const scratch place;
  tests::command files(
      {tests::wirebench(), "files", "--files", "5000", "--repetitions", "1000", "--bytes", "20000", "--json"},
      place);
  std::this_thread::sleep_for(std::chrono::seconds(3));
  files.signal(SIGINT);
  const auto run = files.wait();
  ASSERT_EQ(run.code, 130) << run.err;
  const auto printed = json::parse(run.out, nullptr, false);
  ASSERT_FALSE(printed.is_discarded());
  EXPECT_GE(printed["files"].size(), 1u);
  EXPECT_EQ(printed["plan"]["ops"].back()["ended_by"], "stop");
  EXPECT_TRUE(std::filesystem::is_empty(place.path("/tmp"))) << "files are left";
}

}  // namespace
