// Renderings of a result, read by the programs that they are made for.

#include "bench/report_gbench.hpp"
#include "bench/report_ministat.hpp"

#include "fixtures/temp_dir.hpp"
#include "fixtures/venv.hpp"

#include "tests/bench/made_result.hpp"
#include "tests/integration/output.hpp"
#include "tests/oracles/questions.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace tests {
namespace {

/// Rows like "mongo.ping/mem/raw_pvalue  0.0000  0.0123  U Test ...", of Google Benchmark's compare.py.
std::string compare_py(const bench::result& before, const bench::result& after) {
  const auto venv = fixtures::install_venv("scipy-1.13.1", {"scipy==1.13.1", "numpy==1.26.4"});
  const auto folder = fixtures::temp_dir::make();
  EXPECT_TRUE(venv.ok() && folder.ok()) << venv.status() << folder.status();
  const auto file_a = folder->path() + "/a.json", file_b = folder->path() + "/b.json";
  std::ofstream(file_a) << bench::report_gbench(before);
  std::ofstream(file_b) << bench::report_gbench(after);
  return output_of(
      {*venv + "/bin/python", "/usr/share/benchmark/compare.py", "--no-color", "benchmarks", file_a, file_b});
}

/// The words of the line that begins with `name`.
std::vector<std::string> row_of(const std::string& table, const std::string& name) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name + " ")) continue;
    std::istringstream words(line);
    return {std::istream_iterator<std::string>(words), {}};
  }
  ADD_FAILURE() << "no line " << name << " in\n" << table;
  return std::vector<std::string>(4);
}

TEST(Renderings, GoogleBenchmarksComparePyReadsThem) {
  auto after = bench::made_result();
  for (auto& timed : after.cells[4].rounds) timed.elapsed_ns += timed.elapsed_ns / 5;
  summarize(after.cells[4]);
  const auto table = compare_py(bench::made_result(), after);
  const auto median = row_of(table, "mongo.ping/driver/libmongoc_median");
  EXPECT_EQ(median[1], "+0.2000");  // time
  EXPECT_EQ(median[2], "+0.0000");  // cpu
  EXPECT_EQ(row_of(table, "mongo.ping/driver/libmongoc_pvalue")[1], "0.0000");
  EXPECT_EQ(row_of(table, "mongo.ping/tcp0/raw_pvalue")[1], "1.0000");
}

TEST(Renderings, MinistatPrintsTheSameBlock) {
  bench::result made;
  made.cells.push_back(bench::made_cell("a", "tcp0", "raw", {70.5, 71.25, 69.75, 70.125, 72, 71, 70}));
  made.cells.push_back(bench::made_cell("b", "driver", "libpq", {90.5, 91.25, 93.75, 90.125, 92}));
  made.comparisons.push_back({.a = "a", .b = "b"});
  const auto folder = fixtures::temp_dir::make();
  ASSERT_TRUE(folder.ok()) << folder.status();
  for (const auto& one : made.cells)
    std::ofstream(folder->path() + "/" + one.what.id) << bench::round_values(one);
  const auto theirs =
      output_of({"/bin/sh", "-c", "cd \"$0\" && exec /usr/bin/ministat -A a b", folder->path()});
  const auto ours = bench::report_ministat(made);
  // its figures and its verdict; the half-widths differ in the sixth digit, because its table of t has four
  const auto lines = [](const std::string& text) {
    const auto begin = text.find("    N "), end = text.find('\t'), pooled = text.find("\t(Student");
    return text.substr(begin, end - begin) + text.substr(pooled, text.find('\n', pooled) - pooled);
  };
  EXPECT_EQ(lines(ours), lines(theirs));
}

}  // namespace
}  // namespace tests
