// Result files that somebody has changed: whatever the reader lets through, every rendering survives.

#include "bench/file_comparison.hpp"
#include "bench/report_comparison.hpp"
#include "bench/report_console.hpp"
#include "bench/report_csv.hpp"
#include "bench/report_docs.hpp"
#include "bench/report_files.hpp"
#include "bench/report_gbench.hpp"
#include "bench/report_json.hpp"
#include "bench/report_markdown.hpp"
#include "bench/report_ministat.hpp"
#include "bench/result_reader.hpp"

#include "fixtures/datasets.hpp"

#include "tests/bench/full_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace bench {
namespace {

using nlohmann::ordered_json;

void collect(ordered_json& in, std::vector<ordered_json*>& values) {
  for (auto& value : in) {
    values.push_back(&value);
    if (value.is_structured()) collect(value, values);
  }
}

const ordered_json& one_of_its_kind(const ordered_json& was, fixtures::random_source& random) {
  static const std::vector<ordered_json> numbers{0,     1,         -1,        3,          1e-300,
                                                 1e300, INT64_MIN, INT64_MAX, UINT64_MAX, nullptr};
  static const std::vector<ordered_json> texts{"",     "a",     "b",   "ping",        "null",
                                               "real", "floor", "raw", "%s{}\x1b[2J", nullptr};
  static const std::vector<ordered_json> others{true, false, nullptr, ordered_json::array(),
                                                ordered_json::object()};
  const auto& all = was.is_number() ? numbers : was.is_string() ? texts : others;
  return all[random.next() % all.size()];
}

void render_everything(const result& read) {
  const auto untouched = full_result();
  if (!read.docs.empty()) {
    EXPECT_FALSE(report_docs(read, true).empty());
  }
  if (!read.files.empty()) {
    EXPECT_FALSE(report_files(read, true).empty());
  }
  std::size_t bytes = report_console(read, true).size() + report_markdown(read).size() +
                      cells_csv(read).size() + comparisons_csv(read).size() + rounds_csv(read).size() +
                      report_gbench(read).size() + report_ministat(read).size();
  for (const auto& [a, b] : {std::pair(&read, &untouched), {&untouched, &read}, {&read, &read}}) {
    const comparison_report report{.a = {"a", a}, .b = {"b", b}, .found = compare_results(*a, *b, 0.02)};
    bytes += report_comparison(report, false).size() + comparison_json({report}).size();
  }
  EXPECT_GT(bytes, 0U);
}

TEST(HostileResult, EveryRenderingSurvives) {
  const auto sound = ordered_json::parse(report_json(full_result()));
  fixtures::random_source random(7);
  std::size_t read = 0;
  for (int i = 0; i < 300; ++i) {
    auto changed = sound;
    std::vector<ordered_json*> values;
    collect(changed, values);
    auto& victim = *values[random.next() % values.size()];
    victim = one_of_its_kind(victim, random);
    const auto result = read_result(changed.dump());
    if (!result.ok()) continue;
    ++read;
    render_everything(*result);
    const auto text = report_json(*result);
    EXPECT_TRUE(read_result(text).ok()) << text;
  }
  EXPECT_GT(read, 30U);
  EXPECT_LT(read, 300U);
}

}  // namespace
}  // namespace bench
