#include "bench/hgrm.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace bench {
namespace {

// 1 and 3 us, half of all each: five steps of 10 % reach 50 %, where the first value ends. Mean 2 us, deviation 1 us; 2999 and
// 3000 ns share a bucket, and the maximum is exact. 4 us: two doublings of 2048, one bucket more in HdrHistogram's count.
TEST(Hgrm, IsHandWorked) {
  histogram made(4'000);
  made.record(1'000);
  made.record(3'000);
  EXPECT_EQ(hgrm(made),
            "       Value     Percentile TotalCount 1/(1-Percentile)\n"
            "\n"
            "       1.000 0.000000000000          1           1.00\n"
            "       1.000 0.100000000000          1           1.11\n"
            "       1.000 0.200000000000          1           1.25\n"
            "       1.000 0.300000000000          1           1.43\n"
            "       1.000 0.400000000000          1           1.67\n"
            "       1.000 0.500000000000          1           2.00\n"
            "       3.000 0.550000000000          2           2.22\n"
            "       3.000 1.000000000000          2\n"
            "#[Mean    =        2.000, StdDeviation   =        1.000]\n"
            "#[Max     =        3.000, Total count    =            2]\n"
            "#[Buckets =            2, SubBuckets     =         2048]\n");
}

// Every line's count is that of the values up to its value, and reaches its percentile.
TEST(Hgrm, CountsTheValuesUpToEachLine) {
  std::vector<std::int64_t> values;
  for (int i = 0; i < 1'000; ++i) values.push_back(1'000 + 37 * i * i);
  histogram made;
  for (const auto value : values) made.record(value);
  std::istringstream lines(hgrm(made));
  std::string line;
  std::size_t seen = 0;
  while (std::getline(lines, line)) {
    double value_us = 0, percentile = 0;
    long count = 0;
    if (std::sscanf(line.c_str(), "%lf %lf %ld", &value_us, &percentile, &count) != 3) continue;
    ++seen;
    EXPECT_EQ(count, std::count_if(values.begin(), values.end(),
                                   [&](std::int64_t value) { return value / 1e3 <= value_us + 1e-9; }))
        << line;
    EXPECT_GE(count, percentile * 1'000 - 1e-9) << line;
  }
  EXPECT_GT(seen, 30U);
}

// Two values, and one of 2^53 - 1 or 2^60 before them: as doubles the percentiles come to a standstill before the last count, or
// reach 1 too early.
TEST(Hgrm, EndsForCountsThatDoublesDoNotTellApart) {
  for (const auto many : {(std::uint64_t{1} << 53) - 2, std::uint64_t{1} << 60}) {
    const std::vector<std::uint64_t> counts{0, many, 1, 1};
    const auto text = hgrm(histogram::of_counts(4'000, counts));
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 400) << many;
    EXPECT_NE(text.find(fmt::format(" 1.000000000000 {:10}\n", many + 2)), std::string::npos) << text;
  }
}

TEST(Hgrm, OfNothingHasNoLines) {
  EXPECT_EQ(hgrm(histogram(4'000)),
            "       Value     Percentile TotalCount 1/(1-Percentile)\n"
            "\n"
            "#[Max     =        0.000, Total count    =            0]\n"
            "#[Buckets =            2, SubBuckets     =         2048]\n");
}

TEST(Hgrm, CountsWhatIsBeyondTheLimitUpToTheMaximum) {
  histogram made(4'000);
  made.record(1'000);
  made.record(9'000);
  const auto text = hgrm(made);
  EXPECT_NE(text.find("       1.000 0.500000000000          1           2.00\n"
                      "       9.000 1.000000000000          2\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace bench
