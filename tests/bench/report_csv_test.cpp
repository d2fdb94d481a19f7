#include "bench/report_csv.hpp"

#include "tests/bench/made_result.hpp"
#include "tests/support/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace bench {
namespace {

using tests::split_lines;

std::ptrdiff_t commas(const std::string& line) {
  return std::count(line.begin(), line.end(), ',');
}

TEST(CsvReport, HasOneLinePerCellComparisonAndRound) {
  const auto made = made_result();
  EXPECT_EQ(split_lines(cells_csv(made)).size(), 1U + 5);
  EXPECT_EQ(split_lines(comparisons_csv(made)).size(), 1 + made.comparisons.size());
  EXPECT_EQ(split_lines(rounds_csv(made)).size(), 1U + 5 * 200);
}

TEST(CsvReport, EveryLineHasAllColumns) {
  const auto made = made_result();
  for (const auto& text : {cells_csv(made), comparisons_csv(made), rounds_csv(made)}) {
    const auto lines = split_lines(text);
    for (const auto& line : lines) ASSERT_EQ(commas(line), commas(lines.front())) << line;
  }
}

TEST(CsvReport, HoldsFiguresInFullAndNothingWhereNothingIsKnown) {
  auto made = made_result();
  made.cells[4].per_op.lo_ns = 13'874.123456789;
  const auto lines = split_lines(cells_csv(made));
  EXPECT_TRUE(lines[5].starts_with(
      "mongo.ping/driver/libmongoc,mongo.ping,driver,libmongoc,null,tcp,same-cpu,,,0,200,"
      "14000,13874.123456789,"))
      << lines[5];
  EXPECT_TRUE(lines[5].ends_with(",10000,3500,1,1,94,45,")) << lines[5];  // whose system calls are not known
  const auto rounds = split_lines(rounds_csv(made));
  EXPECT_TRUE(rounds[1].starts_with("mongo.ping/floor,0,0,0,0,0,10,")) << rounds[1];
  EXPECT_TRUE(rounds[1].ends_with(",-1,-1,,10,10,580,450,20")) << rounds[1];
}

TEST(CsvReport, ListsTheFlagsOfARoundInOneField) {
  auto made = made_result();
  made.cells[0].rounds[0].flags = {.steal = true, .faults = true};
  EXPECT_NE(rounds_csv(made).find(",-1,-1,steal faults,10,"), std::string::npos);
}

TEST(CsvReport, QuotesWhatWouldEndAField) {
  auto made = made_result();
  made.cells[0].what.peer = "Postgre \"SQL\", 15";
  EXPECT_NE(cells_csv(made).find(R"(,"Postgre ""SQL"", 15",tcp,)"), std::string::npos) << cells_csv(made);
}

}  // namespace
}  // namespace bench
