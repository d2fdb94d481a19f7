// `wirebench report` on what a run has saved.

#include "tests/integration/command.hpp"
#include "tests/integration/saved_results.hpp"
#include "tests/support/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using nlohmann::json;
using tests::has;
using tests::run_wirebench;
using tests::words;

/// A short run of one cell, and what it printed.
class report : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    place_ = new tests::scratch;
    printed_ = new tests::ended(
        run_wirebench({"ladder", "--op", "ping", "--rung", "mem", "--budget", "0.8", "-o", file()}, *place_));
  }
  static void TearDownTestSuite() {
    delete printed_;
    delete place_;
  }

  static std::string file() { return place_->path("/result.json"); }

  static std::string shown(words arguments) {
    arguments.insert(arguments.begin(), {"report", file()});
    const auto run = run_wirebench(arguments, *place_);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.out;
  }

  static tests::scratch* place_;
  static tests::ended* printed_;
};

tests::scratch* report::place_ = nullptr;
tests::ended* report::printed_ = nullptr;

TEST_F(report, shows_what_the_run_printed) {
  ASSERT_EQ(printed_->code, 0) << printed_->err;
  EXPECT_EQ(shown({}) + "saved as " + file() + "\n", printed_->out);
}

TEST_F(report, makes_markdown_and_csv) {
  EXPECT_TRUE(has(shown({"--format", "markdown"}), "\n| mem | raw | null | mem | "));
  const auto cells = shown({"--format", "csv"});
  EXPECT_EQ(tests::lines_of(cells), 2U);
  EXPECT_TRUE(has(cells, "\nping/mem/raw,ping,mem,raw,null,mem,same-cpu,")) << cells;
  EXPECT_EQ(tests::lines_of(shown({"--format", "csv-comparisons"})), 1U);
  EXPECT_GT(tests::lines_of(shown({"--format", "csv-rounds"})), 1U);
}

TEST_F(report, gives_the_rounds_of_the_only_cell_one_a_line) {
  const auto saved = json::parse(tests::whole_file(file()));
  const auto& rounds = saved["cells"][0]["rounds"];
  const auto values = shown({"--format", "values"});
  EXPECT_EQ(tests::lines_of(values), rounds.size());
  EXPECT_DOUBLE_EQ(std::stod(values), rounds[0]["elapsed_ns"].get<double>() / rounds[0]["ops"].get<double>());
  EXPECT_EQ(values, shown({"--format", "values", "--cell", "ping/mem/raw"}));
}

TEST_F(report, makes_json_of_google_benchmark) {
  const auto made = json::parse(shown({"--format", "gbench"}), nullptr, false);
  ASSERT_FALSE(made.is_discarded());
  EXPECT_EQ(made["benchmarks"][0]["name"], "ping/mem/raw");
}

TEST_F(report, makes_hgrm_of_what_run_saved) {
  const auto path = place_->path("/run.json");
  const auto run = run_wirebench({"run", "ping", "--duration", "1", "--warm-up", "0.2", "-o", path}, *place_);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto made = run_wirebench({"report", path, "--format", "hgrm"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(has(made.out, "       Value     Percentile TotalCount 1/(1-Percentile)\n\n")) << made.out;
  const auto ops = json::parse(tests::whole_file(path))["cells"][0]["latency"]["ops"].get<std::uint64_t>();
  EXPECT_TRUE(has(made.out, " 1.000000000000 ")) << made.out;
  EXPECT_TRUE(has(made.out, " " + std::to_string(ops) + "]\n")) << made.out;  // total count
}

TEST_F(report, writes_where_it_is_told) {
  const auto path = place_->path("/there/result.md");
  EXPECT_EQ(shown({"--format", "markdown", "-o", path}), "");
  EXPECT_EQ(tests::whole_file(path), shown({"--format", "markdown"}));
}

TEST_F(report, refuses_with_one_line) {
  const auto many = tests::file_in(place_->path(), "many.json", bench::report_json(bench::made_result()));
  for (const auto& [arguments, says] :
       {std::pair<words, const char*>{{file(), "--format", "pdf"}, "'pdf'; there are terminal, markdown,"},
        {{many, "--format", "values"}, "name it with --cell; there are mongo.ping/floor, "},
        {{many, "--format", "values", "--cell", "nope"}, "no cell 'nope'; there are mongo.ping/floor, "},
        {{file(), "--format", "csv", "--cell", "ping/mem/raw"}, "csv shows every cell: leave --cell out"},
        {{file(), "--format", "hgrm"}, "'ping/mem/raw' holds no latencies of single ops"},
        {{place_->path("/none.json")}, "No such file"},
        {{}, "file is required"}}) {
    words line{"report"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    const auto run = run_wirebench(line);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_EQ(tests::lines_of(run.err), 1U) << run.err;
    EXPECT_TRUE(has(run.err, says)) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

TEST_F(report, of_a_file_cut_short_ends_with_5) {
  const auto whole = tests::whole_file(file());
  const auto cut = tests::file_in(place_->path(), "cut.json", whole.substr(0, whole.size() / 2));
  const auto run = run_wirebench({"report", cut});
  EXPECT_EQ(run.code, 5);
  EXPECT_TRUE(has(run.err, "cut.json' ends early, after byte " + std::to_string(whole.size() / 2)))
      << run.err;
}

}  // namespace
