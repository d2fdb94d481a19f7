#include "bench/report_ministat.hpp"

#include "tests/bench/made_cells.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

/// The example of ministat's manual: chameleon against iguana.
result chameleon_and_iguana() {
  result made;
  made.cells.push_back(made_cell("iguana", "tcp0", "raw", {50, 200, 150, 400, 750, 400, 150}));
  made.cells.push_back(made_cell("chameleon", "driver", "libpq", {150, 400, 720, 500, 930}));
  made.comparisons.push_back({.a = "iguana", .b = "chameleon"});
  return made;
}

TEST(MinistatReport, PrintsTheBlock) {
  // averages 2100/7 = 300 and 2700/5 = 540; pooled s = sqrt((6 * 238.0476^2 + 4 * 299.0819^2) / 10) = 264.16;
  // t(0.975, 10) = 2.228, half-width 2.228 * 264.16 * sqrt(1/7 + 1/5) = 344.6 > 240
  EXPECT_EQ(report_ministat(chameleon_and_iguana()),
            "x iguana, ns/op\n"
            "+ chameleon, ns/op\n"
            "    N           Min           Max        Median           Avg        Stddev\n"
            "x   7            50           750           200           300     238.04761\n"
            "+   5           150           930           500           540     299.08193\n"
            "No difference proven at 95.0% confidence\n"
            "in pairs of rounds: inconclusive\n\n");
}

TEST(MinistatReport, SaysWhatDiffers) {
  result made;
  made.cells.push_back(made_cell("a", "tcp0", "raw", {99, 100, 101}));
  made.cells.push_back(made_cell("b", "driver", "libpq", {109, 110, 111}));
  made.comparisons.push_back({.a = "a", .b = "b", .says = verdict::slower});
  // s = 1 on both sides; t(0.975, 4) = 2.776445, half-width 2.776445 * sqrt(2/3) = 2.266958
  const auto text = report_ministat(made);
  EXPECT_NE(text.find("Difference at 95.0% confidence\n"
                      "\t10 +/- 2.26696\n"
                      "\t10% +/- 2.26696%\n"
                      "\t(Student's t, pooled s = 1)\n"
                      "in pairs of rounds: slower\n"),
            std::string::npos)
      << text;
}

TEST(MinistatReport, OfTooFewRoundsHasNoFigures) {
  auto made = chameleon_and_iguana();
  made.cells[0].rounds.resize(2);
  EXPECT_EQ(
      report_ministat(made),
      "x iguana, ns/op\n+ chameleon, ns/op\nfewer than three rounds\nin pairs of rounds: inconclusive\n\n");
}

TEST(MinistatReport, GivesTheValuesOneALine) {
  auto one = made_cell("a", "tcp0", "raw", {99.5, 100, 101});
  one.rounds[1].group = 1;  // an anchor's round among slower cells
  EXPECT_EQ(round_values(one), "99.5\n101\n");
  EXPECT_EQ(round_values(cell()), "");
}

}  // namespace
}  // namespace bench
