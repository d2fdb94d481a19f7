// `wirebench ladder` on its null servers, as a user or a script runs it (issue "first ladder", Report).

#include "tests/integration/command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>

namespace {

using nlohmann::json;
using tests::run_wirebench;
using tests::scratch;
using tests::words;

using strings = std::set<std::string>;

strings keys_of(const json& object) {
  strings keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

/// Names of `wanted` that are not keys of `object`.
strings missing(const json& object, const strings& wanted) {
  const auto keys = keys_of(object);
  strings absent;
  std::set_difference(wanted.begin(), wanted.end(), keys.begin(), keys.end(),
                      std::inserter(absent, absent.end()));
  return absent;
}

bool has_nan(const std::string& text) {
  return std::regex_search(text, std::regex(R"(\b(nan|inf)\b)", std::regex::icase));
}

std::string on_one_line(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(\s+)"), " ");
}

std::string last_line(std::string text) {
  if (!text.empty()) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// One run of the whole default set, shared by the tests that look at its JSON.
class default_set : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    place_ = new scratch;
    run_ = new tests::ended(run_wirebench({"ladder", "--budget", "2.5", "--json"}, *place_));
    report_ = new json(json::parse(run_->out, nullptr, false));
  }
  static void TearDownTestSuite() {
    delete report_;
    delete run_;
    delete place_;
  }

  static const json& cells() { return (*report_)["cells"]; }
  static const json& comparisons() { return (*report_)["comparisons"]; }

  static scratch* place_;
  static tests::ended* run_;
  static json* report_;
};

scratch* default_set::place_ = nullptr;
tests::ended* default_set::run_ = nullptr;
json* default_set::report_ = nullptr;

TEST_F(default_set, stdout_is_strict_json_and_nothing_else) {
  ASSERT_EQ(run_->code, 0) << run_->err;
  EXPECT_FALSE(report_->is_discarded()) << run_->out.substr(0, 200);  // nlohmann-json refuses NaN
  EXPECT_EQ(tests::lines_of(run_->out), 1U);
}

TEST_F(default_set, keys_are_those_of_the_report) {
  EXPECT_EQ(missing(*report_, {"schema_version", "context", "clock", "cells", "comparisons", "warnings"}),
            strings{});
  ASSERT_FALSE(cells().empty());
  for (const auto& cell : cells()) {
    EXPECT_EQ(missing(cell, {"id", "op", "rung", "client", "peer", "transport", "placement", "rounds",
                             "median_ns", "lo_ns", "hi_ns", "client_cpu_ns", "server_cpu_ns", "frames_out",
                             "frames_in", "bytes_out", "bytes_in", "syscalls"}),
              strings{})
        << cell["id"];
  }
  ASSERT_FALSE(comparisons().empty());
  for (const auto& pair : comparisons()) {
    EXPECT_EQ(missing(pair, {"op", "a", "b", "ratio", "lo", "hi", "level", "difference_ns",
                             "difference_lo_ns", "difference_hi_ns", "floor_units", "floor_units_lo",
                             "floor_units_hi", "rows", "verdict"}),
              strings{});
  }
}

TEST_F(default_set, every_op_stands_on_every_rung) {
  const std::vector<std::pair<std::string, std::string>> ops{
      {"ping", "libmongoc"},     {"insert_one", "libmongoc"}, {"find_one", "libmongoc"}, {"select1", "libpq"},
      {"select_param", "libpq"}, {"insert_row", "libpq"},     {"lowrite_256k", "libpq"},
  };
  for (const auto& [op, driver] : ops) {
    std::multiset<std::string> found;
    for (const auto& cell : cells()) {
      if (cell["op"] != op) continue;
      EXPECT_EQ(cell["peer"], "null");
      EXPECT_EQ(cell["placement"], "same-cpu");
      EXPECT_EQ(cell["profile"], driver == "libpq" ? json() : json("standalone"));
      found.insert(cell["rung"].get<std::string>() + " " + cell["client"].get<std::string>() + " " +
                   cell["transport"].get<std::string>());
    }
    EXPECT_EQ(found,
              (std::multiset<std::string>{"floor floor tcp", "mem raw mem", "unix raw unix", "tcp0 raw tcp",
                                          "tcp0 raw tcp", "driver " + driver + " tcp"}))
        << op;
  }
}

TEST_F(default_set, cells_have_ids_of_their_own_times_and_counted_work) {
  strings ids;
  for (const auto& cell : cells()) {
    const auto& id = cell["id"];
    EXPECT_TRUE(ids.insert(id.get<std::string>()).second) << id;
    EXPECT_FALSE(cell["rounds"].empty()) << id;
    for (const auto* key : {"median_ns", "frames_out", "frames_in", "bytes_out", "bytes_in"}) {
      ASSERT_TRUE(cell[key].is_number()) << id << " " << key;
      EXPECT_GT(cell[key], 0) << id << " " << key;
    }
    if (!cell["lo_ns"].is_null()) {
      EXPECT_LE(cell["lo_ns"], cell["median_ns"]) << id;
      EXPECT_GE(cell["hi_ns"], cell["median_ns"]) << id;
    }
  }
}

/// A stop-and-wait op of the raw client is one send and one receive. A driver's calls cannot
/// be seen from here.
TEST_F(default_set, raw_makes_two_system_calls_and_a_drivers_are_unknown) {
  for (const auto& cell : cells()) {
    const auto& id = cell["id"];
    if (cell["rung"] == "driver") {
      EXPECT_TRUE(cell["syscalls"].is_null()) << id;
    } else if (cell["rung"] == "mem") {
      EXPECT_EQ(cell["syscalls"], 0) << id;
    } else if (cell["op"] != "lowrite_256k") {  // may not fit the socket's buffer
      EXPECT_EQ(cell["syscalls"], 2) << id;
    }
  }
}

TEST_F(default_set, floor_and_raw_do_the_same_work) {
  for (const auto& cell : cells()) {
    if (cell["client"] != "raw") continue;
    const auto is_floor = [&](const json& other) {
      return other["op"] == cell["op"] && other["rung"] == "floor";
    };
    const auto floor = std::find_if(cells().begin(), cells().end(), is_floor);
    ASSERT_NE(floor, cells().end());
    EXPECT_EQ(cell["bytes_out"], (*floor)["bytes_out"]) << cell["id"];
    EXPECT_EQ(cell["bytes_in"], (*floor)["bytes_in"]) << cell["id"];
  }
}

TEST_F(default_set, comparisons_name_cells_of_their_op) {
  std::map<std::string, std::string> op_of;
  for (const auto& cell : cells()) op_of[cell["id"]] = cell["op"];
  for (const auto& pair : comparisons()) {
    EXPECT_EQ(op_of[pair["a"]], pair["op"]);
    EXPECT_EQ(op_of[pair["b"]], pair["op"]);
    EXPECT_NE(pair["a"], pair["b"]);
    EXPECT_TRUE((strings{"faster", "slower", "equivalent", "inconclusive"}.count(pair["verdict"])))
        << pair["verdict"];
  }
}

TEST_F(default_set, each_driver_is_compared_with_raw) {
  strings compared;
  for (const auto& pair : comparisons()) {
    if (pair["b"].get<std::string>().find("/driver/") == std::string::npos) continue;
    compared.insert(pair["op"].get<std::string>());
    EXPECT_NE(pair["a"].get<std::string>().find("/tcp0/raw"), std::string::npos) << pair["a"];
    EXPECT_GT(pair["rows"], 0);
    EXPECT_TRUE(pair["ratio"].is_number() && pair["difference_ns"].is_number() &&
                pair["floor_units"].is_number())
        << pair;
  }
  EXPECT_EQ(compared.size(), 7U);
}

TEST_F(default_set, result_is_saved_and_its_path_told_last_on_stderr) {
  ASSERT_EQ(place_->results().size(), 1U);
  const auto path = place_->results().front();
  EXPECT_TRUE(tests::whole_file(path) == run_->out) << "the file does not hold what was printed";
  EXPECT_EQ(last_line(run_->err), "saved as " + path);
}

TEST_F(default_set, nothing_is_left_in_the_temporary_folder) {
  EXPECT_TRUE(std::filesystem::is_empty(place_->path("/tmp")));
}

TEST(ladder, shows_a_drivers_overhead_in_us_as_a_ratio_and_in_floor_units) {
  const scratch place;
  const auto run = run_wirebench({"ladder", "--op", "select1", "--budget", "2.5"}, place);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");  // no progress bar where there is no terminal
  const std::string number = R"([+-]?[0-9.]+)";
  // "[-]" where too few connection sets were measured for an interval: how many rows a machine makes is not tested here.
  const std::string interval = R"( \[(-|)" + number + ", " + number + R"()\])";
  const std::regex sentence("libpq adds " + number + " us" + interval + " to select1, " + number + interval +
                            " times raw, " + number + interval + " floor units;.* interleaved");
  EXPECT_TRUE(std::regex_search(on_one_line(run.out), sentence)) << run.out;
  EXPECT_FALSE(has_nan(run.out)) << run.out;
  EXPECT_EQ(run.out.find('\x1b'), std::string::npos) << "colour without a terminal";
  ASSERT_EQ(place.results().size(), 1U);
  EXPECT_EQ(last_line(run.out), "saved as " + place.results().front());
}

TEST(ladder, saves_where_it_is_told) {
  const scratch place;
  const auto path = place.path("/deep/er/mine.json");
  const auto run = run_wirebench(
      {"ladder", "--op", "ping", "--rung", "mem", "--budget", "0.8", "--quiet", "-o", path}, place);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(last_line(run.out), "saved as " + path);
  EXPECT_EQ(json::parse(tests::whole_file(path))["cells"].size(), 1U);
  EXPECT_TRUE(place.results().empty());
}

TEST(ladder, says_where_it_could_not_save) {
  const auto run = run_wirebench(
      {"ladder", "--op", "ping", "--rung", "mem", "--budget", "0.8", "-o", "/proc/none/mine.json"});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(tests::lines_of(run.err), 1U);
  EXPECT_NE(run.err.find("/proc/none/mine.json"), std::string::npos) << run.err;
  EXPECT_NE(run.out.find("ping against null"), std::string::npos) << "what was measured is shown";
}

/// The places of the cells in the first rows of a run: "unix/raw tcp0/raw ..." per row.
std::vector<std::string> order_of_rows(const std::string& seed, std::size_t rows) {
  const auto run = run_wirebench(
      {"ladder", "--op", "ping", "--rung", "unix,tcp0", "--budget", "1.6", "--json", "--seed", seed});
  std::vector<std::map<int, std::string>> places(rows);
  const auto report = json::parse(run.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << run.err;
  if (report.is_discarded()) return {};
  for (const auto& cell : report["cells"]) {
    for (const auto& round : cell["rounds"]) {
      const std::size_t row = round["row"];
      if (row < rows) places[row][round["position"]] = cell["id"];
    }
  }
  std::vector<std::string> order;
  for (const auto& row : places) {
    order.emplace_back();
    for (const auto& [position, id] : row) order.back() += id + " ";
  }
  return order;
}

TEST(ladder, seed_fixes_the_order) {
  constexpr std::size_t rows = 6;  // two Latin squares of three cells
  const auto first = order_of_rows("7", rows);
  ASSERT_EQ(first.size(), rows);
  EXPECT_FALSE(first.back().empty());
  EXPECT_EQ(first, order_of_rows("7", rows));
  EXPECT_NE(first, order_of_rows("8", rows));
}

TEST(ladder, shows_the_profile_that_it_is_told) {
  const auto run = run_wirebench(
      {"ladder", "--op", "ping", "--rung", "mem", "--budget", "0.8", "--json", "--profile", "replica-set"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto report = json::parse(run.out);
  EXPECT_EQ(report["cells"][0]["profile"], "replica-set");
  EXPECT_NE(report["context"]["null_servers"].get<std::string>().find("profile replica-set"),
            std::string::npos);
}

TEST(ladder, lists_its_ops) {
  const auto run = run_wirebench({"ladder", "--list"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(tests::lines_of(run.out), 7U);
  for (const auto* op :
       {"ping", "insert_one", "find_one", "select1", "select_param", "insert_row", "lowrite_256k"}) {
    EXPECT_NE(run.out.find(std::string(op) + " "), std::string::npos) << op;
  }
}

TEST(program, tells_its_version) {
  const auto run = run_wirebench({"--version"});
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(std::regex_match(run.out, std::regex(R"(wirebench \d+\.\d+\.\d+\n)"))) << run.out;
}

TEST(program, help_shows_examples) {
  for (const words& arguments : {words{"--help"},
                                 {"ladder", "--help"},
                                 {"serve", "--help"},
                                 {"doctor", "--help"},
                                 {"loop", "--help"},
                                 {"report", "--help"},
                                 {"compare", "--help"}}) {
    const auto run = run_wirebench(arguments);
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
    const auto example = arguments.size() == 1 ? "\n  wirebench " : "wirebench " + arguments.front() + " ";
    EXPECT_NE(run.out.find(example), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("Usage:"), std::string::npos) << run.out;
  }
}

TEST(loop, runs_and_prints_nothing) {
  for (const words& arguments : {words{"loop", "raw", "ping", "1000"},
                                 {"loop", "floor", "select1", "100"},
                                 {"loop", "libmongoc", "insert_one", "100"},
                                 {"loop", "libpq", "lowrite_256k", "10"}}) {
    const auto run = run_wirebench(arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out + run.err, "");
  }
}

}  // namespace
