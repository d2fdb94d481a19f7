// Histograms against HdrHistogram's port for Python.

#include "bench/hgrm.hpp"
#include "bench/histogram_v2.hpp"

#include "tests/oracles/questions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace tests {
namespace {

/// Of 3,000 values: ranks that are whole, since hdrh rounds them to the nearest, and below the last, which ours knows exactly.
constexpr std::uint32_t percentiles_ppm[] = {1, 100'000, 500'000, 900'000, 990'000, 999'000};

/// A distribution without its comments.
std::vector<std::string> percentile_lines(const std::string& text) {
  std::istringstream from(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(from, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

TEST(Hdrh, ReadsOursAndIsRead) {
  fixtures::random_source random(13);
  std::vector<std::int64_t> values = {0, 1, 2047, 2048, 4095, 4096, 1'000'000};
  while (values.size() < 3'000)
    values.push_back(static_cast<std::int64_t>(random.next() >> (24 + random.next() % 39)));

  bench::histogram ours(std::int64_t{1} << 41);
  for (const auto value : values) ours.record(value);
  ASSERT_EQ(ours.recorded(), values.size());
  std::vector<double> percentiles;
  for (const auto p_ppm : percentiles_ppm) percentiles.push_back(p_ppm / 1e4);
  const auto answer = ask("hdrh_answers.py", {"hdrhistogram==0.10.3", "pbr==7.1.3"},
                          {{"encoded", bench::encode_v2(ours)},
                           {"limit_ns", ours.limit_ns()},
                           {"values", values},
                           {"percentiles", percentiles}});
  ASSERT_TRUE(answer.is_object());
  EXPECT_EQ(answer["count"], values.size());
  EXPECT_EQ(answer["min"], 0);
  EXPECT_GE(answer["max"], ours.max_ns());  // the end of its bucket
  for (std::size_t i = 0; i < std::size(percentiles_ppm); ++i) {
    EXPECT_EQ(answer["percentiles"][i], ours.percentile(percentiles_ppm[i])->value_ns) << percentiles_ppm[i];
  }

  // The same layout. The steps between are those of HdrHistogram itself; its port for Python does not halve them but lets them
  // shrink from line to line.
  const auto lines = percentile_lines(bench::hgrm(*bench::decode_v2(bench::encode_v2(ours))));
  const auto its_lines = percentile_lines(answer["distribution"]);
  ASSERT_GT(its_lines.size(), 20U);
  for (const std::size_t i : {0, 1, 2, 3})
    EXPECT_EQ(lines[i], its_lines[i]);  // up to 10 %, the first step of both
  EXPECT_EQ(lines.back(), its_lines.back());

  const auto read = bench::decode_v2(answer["encoded"].get<std::string>());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->limit_ns(), ours.limit_ns());
  EXPECT_TRUE(
      std::equal(read->counts().begin(), read->counts().end(), ours.counts().begin(), ours.counts().end()));
}

TEST(Hdrh, ReadsAnEmptyOne) {
  const bench::histogram empty;
  const auto answer = ask("hdrh_answers.py", {"hdrhistogram==0.10.3", "pbr==7.1.3"},
                          {{"encoded", bench::encode_v2(empty)},
                           {"limit_ns", empty.limit_ns()},
                           {"values", nlohmann::json::array()},
                           {"percentiles", nlohmann::json::array()}});
  ASSERT_TRUE(answer.is_object());
  EXPECT_EQ(answer["count"], 0);
  const auto read = bench::decode_v2(answer["encoded"].get<std::string>());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->count(), 0U);
}

}  // namespace
}  // namespace tests
