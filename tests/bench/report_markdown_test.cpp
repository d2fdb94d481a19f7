#include "bench/report_markdown.hpp"

#include "tests/bench/full_result.hpp"
#include "tests/bench/made_result.hpp"
#include "tests/support/text.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

using tests::has;

TEST(MarkdownReport, HasTheTablesAndSentencesOfTheConsole) {
  const auto text = report_markdown(made_result());
  EXPECT_TRUE(has(text, "\n## mongo.ping against null\n\n")) << text;
  EXPECT_TRUE(has(text, "\n* W-LOAD load 3.10 on 2 cpus: other programs run; stop them\n")) << text;
  EXPECT_TRUE(has(text, "\n| tcp0 | raw | null | tcp | 7.00 | [")) << text;
  EXPECT_TRUE(has(text, "] | 3.30 | 3.40 | 1/1 | 58/45 | 2 |\n")) << text;
  EXPECT_TRUE(has(text, "\n| libmongoc over raw | +7.00 [")) << text;
  EXPECT_TRUE(has(text, "\n* unequal work per op, bytes sent: 94 by libmongoc, 58 by raw\n")) << text;
  EXPECT_TRUE(has(text, "\n**libmongoc adds 7.00 us [")) << text;
}

TEST(MarkdownReport, EveryRowHasTheColumnsOfItsTable) {
  const auto text = report_markdown(made_result());
  std::size_t columns = 0, rows = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    const auto line = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with('|')) {
      columns = 0;
      continue;
    }
    const auto bars = static_cast<std::size_t>(std::count(line.begin(), line.end(), '|'));
    if (columns == 0) columns = bars;
    EXPECT_EQ(bars, columns) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 2U + 5 + 2 + 3);  // heads, five cells, three comparisons
}

TEST(MarkdownReport, ShowsATightLoopAsATerminalDoes) {
  auto made = full_result();
  for (auto& one : made.cells) one.what.framing.reset();  // no sweep
  const auto text = report_markdown(made);
  EXPECT_TRUE(has(text, "\n```\nping by libmongoc against null")) << text;
}

TEST(MarkdownReport, TakesNoMarkupFromOthers) {
  auto made = made_result();
  made.cells[2].what.peer = "a|b <img src=x> [c](http://d) `e` *f*";
  const auto text = report_markdown(made);
  EXPECT_TRUE(has(text, R"(| a\|b \<img src=x\> [c]\(http://d) \`e\` \*f\* |)")) << text;
}

// Case C34.
TEST(MarkdownReport, ShowsDashesWhereNothingWasMeasured) {
  auto made = unmeasured_result();
  made.plan.ops[0].failure = "no answer in 1 s";
  const auto text = report_markdown(made);
  EXPECT_TRUE(has(text, "\n**failed:** no answer in 1 s\n")) << text;
  EXPECT_TRUE(has(text, "| tcp0 | raw | null | tcp | - | [-] | - | - | -/- | -/- | - |")) << text;
  EXPECT_FALSE(has(text, "nan")) << text;
}

}  // namespace
}  // namespace bench
