// The figures of a ministat block against the program that gave it its name.

#include "bench/ministat.hpp"

#include "fixtures/temp_dir.hpp"

#include "tests/integration/output.hpp"
#include "tests/oracles/questions.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace tests {
namespace {

/// What /usr/bin/ministat prints, by words: "N Min Max Median Avg Stddev" of x and of +, then the verdict.
struct block {
  std::vector<double> x, plus;
  bool proven = false;
  double difference = 0, plus_minus = 0, percent = 0, plus_minus_percent = 0, pooled = 0;
};

std::vector<double> numbers(const std::string& line, std::size_t count) {
  std::istringstream words(line.substr(1));
  std::vector<double> found(count);
  for (auto& number : found) words >> number;
  EXPECT_TRUE(words) << line;
  return found;
}

block run_ministat(const std::vector<double>& a, const std::vector<double>& b) {
  const auto folder = fixtures::temp_dir::make();
  EXPECT_TRUE(folder.ok()) << folder.status();
  const auto file_a = folder->path() + "/a", file_b = folder->path() + "/b";
  for (const auto& [path, values] : {std::pair{file_a, a}, std::pair{file_b, b}}) {
    std::ofstream out(path);
    for (const double value : values) out << fmt::format("{}\n", value);
  }
  std::istringstream lines(output_of({"/usr/bin/ministat", "-A", file_a, file_b}));
  block printed;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("x ") && !line.ends_with("/a")) printed.x = numbers(line, 6);
    if (line.starts_with("+ ") && !line.ends_with("/b")) printed.plus = numbers(line, 6);
    if (line.starts_with("Difference")) printed.proven = true;
    if (!line.starts_with('\t')) continue;
    if (std::sscanf(line.c_str(), "\t%lf%% +/- %lf%%", &printed.percent, &printed.plus_minus_percent) == 2)
      continue;
    if (std::sscanf(line.c_str(), "\t%lf +/- %lf", &printed.difference, &printed.plus_minus) == 2) continue;
    std::sscanf(line.c_str(), "\t(Student's t, pooled s = %lf)", &printed.pooled);
  }
  return printed;
}

void expect_line(const bench::ministat_line& ours, const std::vector<double>& printed) {
  ASSERT_EQ(printed.size(), 6U);
  EXPECT_EQ(static_cast<double>(ours.n), printed[0]);
  const double figures[] = {ours.min, ours.max, ours.median, ours.average, ours.stddev};
  for (std::size_t i = 0; i < std::size(figures); ++i) {
    if (i == 2 && ours.n % 2 == 0) continue;  // ministat of 2015 takes the upper of the two middle values
    EXPECT_NEAR(figures[i], printed[i + 1], 1e-7 * std::abs(figures[i])) << i;
  }
}

/// `t_error`: how far ministat's table of t is off. It has three digits, and beyond 100 degrees of freedom 1.96.
void expect_agreement(const std::vector<double>& a, const std::vector<double>& b, double t_error,
                      bool proven) {
  const auto ours = bench::compare_as_ministat(a, b);
  ASSERT_TRUE(ours && ours->percent);
  const auto printed = run_ministat(a, b);
  expect_line(ours->a, printed.x);
  expect_line(ours->b, printed.plus);
  EXPECT_EQ(ours->proven, printed.proven);
  EXPECT_EQ(ours->proven, proven);
  if (!printed.proven) return;
  EXPECT_NEAR(ours->difference, printed.difference, 1e-5 * std::abs(ours->difference));
  EXPECT_NEAR(*ours->percent, printed.percent, 1e-5 * std::abs(*ours->percent));
  EXPECT_NEAR(ours->pooled_stddev, printed.pooled, 1e-5 * ours->pooled_stddev);
  EXPECT_NEAR(ours->plus_minus, printed.plus_minus, t_error * ours->plus_minus);
  EXPECT_NEAR(*ours->plus_minus_percent, printed.plus_minus_percent, t_error * *ours->plus_minus_percent);
}

TEST(Ministat, AgreesOnSmallSamples) {
  expect_agreement({1, 2, 3, 4.5, 6}, {10, 11, 12.5, 14, 15}, 3e-4, true);
  expect_agreement({10, 11, 12.5, 14, 15}, {1, 2, 3, 4.5, 6, 7, 8}, 3e-4, true);
  expect_agreement({1, 2, 3, 4.5, 6}, {1, 2, 3, 4.5, 6.1}, 3e-4, false);
  expect_agreement({1, 2, 3}, {4, 5, 9}, 3e-4, false);
  expect_agreement({1, 2, 3}, {7, 8, 12}, 3e-4, true);
}

TEST(Ministat, AgreesOnTimesOfRounds) {
  fixtures::random_source random(14);
  expect_agreement(skewed(random, 21, 0, 0), skewed(random, 33, 200, 0), 3e-4, true);
  expect_agreement(skewed(random, 51, 0, 0), skewed(random, 51, 1, 0), 3e-4, false);
  expect_agreement(skewed(random, 201, 0, 0), skewed(random, 199, 100, 0), 0.015, true);
}

}  // namespace
}  // namespace tests
