#include "bench/compare.hpp"

#include "tests/bench/made_cells.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bench {
namespace {

constexpr std::size_t rows = 160;
constexpr double delta = 0.02;

/// Times of a machine whose weather moves every row by up to a factor of three, on all cells alike.
std::vector<double> in_weather(double op_ns, double own_spread = 0.01) {
  auto times = wandering(op_ns, rows, own_spread);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] *= 1 + static_cast<double>(i * 7 % 13) / 6;
  return times;
}

std::vector<cell> ladder() {
  return {made_cell("floor", "floor", "floor", in_weather(6'000, 0.010)),
          made_cell("mem", "mem", "raw", in_weather(600, 0.011)),
          made_cell("unix", "unix", "raw", in_weather(5'000, 0.009)),
          made_cell("raw", "tcp0", "raw", in_weather(6'600, 0.012)),
          made_cell("again", "tcp0", "raw", in_weather(6'600, 0.008)),
          made_cell("mongoc", "driver", "libmongoc", in_weather(13'200, 0.007))};
}

const comparison& asking(const std::vector<comparison>& pairs, question asks, const std::string& b) {
  for (const auto& pair : pairs) {
    if (pair.asks == asks && pair.b == b) return pair;
  }
  throw std::runtime_error("no comparison with " + b);
}

TEST(Compare, AsksTheQuestionsOfTheLadderInOrder) {
  std::vector<std::string> asked;
  for (const auto& pair : compare(ladder(), delta)) {
    asked.push_back(std::string(name(pair.asks)) + " " + pair.a + " " + pair.b);
  }
  EXPECT_EQ(asked, (std::vector<std::string>{"aa raw again", "floor floor raw", "layer mem unix",
                                             "layer unix raw", "overhead raw mongoc"}));
}

TEST(Compare, PairingTakesTheWeatherOut) {
  const auto pairs = compare(ladder(), delta);
  const auto& overhead = asking(pairs, question::overhead, "mongoc");
  EXPECT_EQ(overhead.rows, rows);
  EXPECT_NEAR(*overhead.ratio, 2.0, 0.01);
  EXPECT_GT(*overhead.lo, 1.98);
  EXPECT_LT(*overhead.hi, 2.02);
  EXPECT_NEAR(*overhead.floor_units, 6'600.0 / 6'000, 0.02);
  EXPECT_LE(*overhead.floor_units_lo, *overhead.floor_units);
  EXPECT_GE(*overhead.floor_units_hi, *overhead.floor_units);
  EXPECT_GT(*overhead.difference_lo_ns,
            6'600.0);  // the difference, unlike the ratio, is that of the median weather
  EXPECT_GE(*overhead.coverage, 0.95);
  EXPECT_FALSE(overhead.by_connection_set);
  EXPECT_EQ(overhead.says, verdict::slower);
  EXPECT_EQ(asking(pairs, question::layer, "unix").says, verdict::slower);
}

TEST(Compare, HandWorkedRatioDifferenceAndFloorUnits) {
  const std::vector<double> raw{100, 110, 120, 130, 140, 150};
  const std::vector<double> driver{200, 220, 240, 260, 280, 330};  // twice raw, once 2.2 times
  const auto pairs =
      compare({made_cell("floor", "floor", "floor", {50, 50, 50, 50, 50, 50}),
               made_cell("raw", "tcp0", "raw", raw), made_cell("d", "driver", "libpq", driver)},
              delta);
  const auto& overhead = asking(pairs, question::overhead, "d");
  EXPECT_DOUBLE_EQ(*overhead.ratio, 2.0);
  EXPECT_DOUBLE_EQ(*overhead.lo, 2.0);  // six rows: the full range
  EXPECT_DOUBLE_EQ(*overhead.hi, 2.2);
  EXPECT_DOUBLE_EQ(*overhead.difference_ns, 125.0);
  EXPECT_DOUBLE_EQ(*overhead.difference_lo_ns, 100.0);
  EXPECT_DOUBLE_EQ(*overhead.difference_hi_ns, 180.0);
  EXPECT_DOUBLE_EQ(*overhead.floor_units, 2.5);
  EXPECT_DOUBLE_EQ(*overhead.floor_units_lo, 2.0);
  EXPECT_DOUBLE_EQ(*overhead.floor_units_hi, 3.6);
  EXPECT_EQ(overhead.level, 0.95);
  EXPECT_DOUBLE_EQ(*overhead.coverage, 1 - 2.0 / 64);
  EXPECT_EQ(overhead.says, verdict::inconclusive);  // without raw twice there is no A/A floor
}

TEST(Compare, JudgesAtTheLevelOfTheWholeTable) {
  // Two comparisons need ceil(log2(80)) = 7 rows; with six there is a printed interval, but no verdict.
  for (const std::size_t n : {6, 7}) {
    const auto pairs = compare({made_cell("raw", "tcp0", "raw", wandering(100, n, 0.01)),
                                made_cell("again", "tcp0", "raw", wandering(100, n, 0.02)),
                                made_cell("d", "driver", "libpq", wandering(200, n, 0.01))},
                               delta);
    const auto& overhead = asking(pairs, question::overhead, "d");
    EXPECT_TRUE(overhead.lo);
    EXPECT_EQ(overhead.says, n == 6 ? verdict::inconclusive : verdict::slower) << n;
  }
}

TEST(Compare, HasNoIntervalForFewRows) {
  const auto pairs = compare({made_cell("raw", "tcp0", "raw", {100, 100, 100, 100, 100}),
                              made_cell("d", "driver", "libpq", {200, 200, 200, 200, 200})},
                             delta);
  EXPECT_DOUBLE_EQ(*pairs.at(0).ratio, 2.0);
  EXPECT_FALSE(pairs[0].lo);
  EXPECT_FALSE(pairs[0].coverage);
  EXPECT_EQ(pairs[0].says, verdict::inconclusive);
}

// Case C34: a run that was ended in its first row.
TEST(Compare, OfNoRoundsIsEmpty) {
  const auto pairs =
      compare({made_cell("raw", "tcp0", "raw", {}), made_cell("d", "driver", "libpq", {})}, delta);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].rows, 0u);
  EXPECT_FALSE(pairs[0].ratio);
  EXPECT_FALSE(pairs[0].difference_ns);
  EXPECT_EQ(pairs[0].says, verdict::inconclusive);
}

TEST(Compare, TakesConnectionSetsForSmallEffects) {
  // Ten sets: on five connections the second cell is 0.2 % slower, on five 0.1 % faster. Over rows that would
  // be a tight interval; over sets it is noise.
  std::vector<double> raw(rows, 100'000), again(rows);
  for (std::size_t row = 0; row < rows; ++row) again[row] = row / 16 % 2 == 0 ? 100'200 : 99'900;
  const auto pairs =
      compare({made_cell("raw", "tcp0", "raw", raw), made_cell("again", "tcp0", "raw", again)}, delta);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_TRUE(pairs[0].by_connection_set);
  EXPECT_EQ(pairs[0].rows, rows);
  EXPECT_DOUBLE_EQ(*pairs[0].lo, 0.999);
  EXPECT_DOUBLE_EQ(*pairs[0].hi, 1.002);
  EXPECT_EQ(pairs[0].says, verdict::equivalent);
  EXPECT_NEAR(*aa_floor(pairs), std::log(1.002), 1e-12);
}

TEST(Compare, TakesConnectionSetsWhereConnectionsDiffer) {
  // Eight connections of which every other one is half as fast again: 128 rows, but eight independent values.
  std::vector<double> raw(128, 50'000), driver(128);
  for (std::size_t row = 0; row < driver.size(); ++row) {
    driver[row] = (row / 16 % 2 == 0 ? 50'000 : 75'000) + static_cast<double>(row % 7);
  }
  const auto pairs =
      compare({made_cell("raw", "tcp0", "raw", raw), made_cell("pq", "driver", "libpq", driver)}, delta);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_TRUE(pairs[0].by_connection_set);
  EXPECT_LT(*pairs[0].lo, 1.001);
  EXPECT_GT(*pairs[0].hi, 1.499);
}

TEST(Compare, KeepsToRowsWhenThereAreTooFewConnectionSets) {
  const auto pairs = compare({made_cell("raw", "tcp0", "raw", wandering(1000, 32, 0.001)),
                              made_cell("again", "tcp0", "raw", wandering(1000, 32, 0.002))},
                             delta);
  EXPECT_FALSE(pairs.at(0).by_connection_set);
  EXPECT_TRUE(pairs[0].lo);
}

TEST(Compare, PairsSlowCellsWithTheAnchorOfTheirGroup) {
  auto raw = made_cell("raw", "tcp0", "raw", wandering(100, 8, 0.01));
  auto real = made_cell("real", "real", "raw", wandering(1'100, 8, 0.01));
  auto driver = made_cell("d", "real", "libpq", wandering(1'200, 8, 0.01));
  for (auto* slow : {&real, &driver}) {
    slow->group = 1;
    for (auto& timed : slow->rounds) timed.group = 1;
  }
  // In each row the anchor's second round, with the slow group, is twice as slow as its first.
  for (std::size_t i = 0; i < 8; ++i) {
    auto anchor = raw.rounds[2 * i];
    anchor.group = 1;
    anchor.elapsed_ns *= 2;
    raw.rounds.insert(raw.rounds.begin() + static_cast<std::ptrdiff_t>(2 * i + 1), anchor);
  }
  const auto pairs = compare({raw, real, driver}, delta);
  EXPECT_NEAR(*asking(pairs, question::server, "real").ratio, 5.5, 0.1);
  EXPECT_NEAR(*asking(pairs, question::overhead, "d").ratio, 12.0 / 11, 0.001);
  EXPECT_EQ(asking(pairs, question::overhead, "d").a, "real");
}

TEST(Compare, SkipsRowsInWhichOneCellIsMissing) {
  auto raw = made_cell("raw", "tcp0", "raw", {100, 100, 100, 100});
  const auto driver = made_cell("d", "driver", "libpq", {200, 300, 200, 200});
  raw.rounds.erase(raw.rounds.begin() + 1);
  raw.rounds.back().elapsed_ns = 0;  // a clock that did not move
  const auto pairs = compare({raw, driver}, delta);
  EXPECT_EQ(pairs.at(0).rows, 2u);
  EXPECT_DOUBLE_EQ(*pairs[0].ratio, 2.0);
}

TEST(Compare, IsInconclusiveForRoundsInTwoModes) {
  auto cells = ladder();
  for (std::size_t i = 0; i < rows; ++i) {
    cells.back().rounds[i].elapsed_ns = i % 2 == 0 ? 130'000 : 1'300'000;
  }
  EXPECT_EQ(asking(compare(cells, delta), question::overhead, "mongoc").says, verdict::inconclusive);
}

TEST(Compare, CountsRowsTiedAtTheClocksResolution) {
  const auto pairs = compare(
      {made_cell("raw", "tcp0", "raw", {100, 100, 100}), made_cell("again", "tcp0", "raw", {100, 100, 101})},
      delta);
  EXPECT_EQ(pairs.at(0).tied, 2u);
  EXPECT_EQ(pairs[0].says, verdict::inconclusive);
}

TEST(WidestOverhead, IsThatOfTheDriversAndEmptyWhileOneHasNoInterval) {
  comparison narrow{.asks = question::overhead, .ratio = 2.0, .lo = 1.98, .hi = 2.02};
  const comparison wide{.asks = question::overhead, .ratio = 1.0, .lo = 0.97, .hi = 1.03};
  const comparison other{.asks = question::layer, .ratio = 1.0, .lo = 0.5, .hi = 1.5};
  EXPECT_NEAR(*widest_overhead({narrow, other, wide}), 0.03, 1e-12);
  EXPECT_NEAR(*widest_overhead({narrow, other}), 0.01, 1e-12);
  EXPECT_FALSE(widest_overhead({other}));
  narrow.lo = narrow.hi = std::nullopt;
  EXPECT_FALSE(widest_overhead({wide, narrow}));
}

/// A real server that takes 50 us, against which the driver costs `extra_ns` more than on the null server.
std::vector<cell> ladder_with_server(double extra_ns) {
  auto cells = ladder();
  cells.push_back(made_cell("noop0", "noop0", "raw", in_weather(6'500, 0.010)));
  cells.push_back(made_cell("noop", "noop", "raw", in_weather(26'500, 0.009)));
  cells.push_back(made_cell("real", "real", "raw", in_weather(56'600, 0.011)));
  cells.push_back(made_cell("real d", "real", "libmongoc", in_weather(63'200 + extra_ns, 0.008)));
  return cells;
}

TEST(Compare, AsksWhatARealServerCosts) {
  std::vector<std::string> asked;
  for (const auto& pair : compare(ladder_with_server(0), delta)) {
    if (pair.b != "again" && pair.asks != question::layer)
      asked.push_back(std::string(name(pair.asks)) + " " + pair.a + " " + pair.b);
  }
  EXPECT_EQ(asked, (std::vector<std::string>{"floor floor raw", "overhead raw mongoc", "server raw real",
                                             "dispatch noop0 noop", "work noop real", "overhead real real d",
                                             "interaction mongoc real d"}));
}

// The weather is a factor on every cell of a row, 1 to 3 and 2 in the middle, and so on the difference of differences.
TEST(Compare, InteractionIsTheDifferenceOfTheOverheads) {
  const auto without = compare(ladder_with_server(0), delta);
  const auto& none = asking(without, question::interaction, "real d");
  EXPECT_EQ(none.rows, rows);
  EXPECT_NEAR(*none.ratio, 1, 0.01);
  EXPECT_LE(*none.difference_lo_ns, 0);
  EXPECT_GE(*none.difference_hi_ns, 0);

  const auto with = compare(ladder_with_server(6'320), delta);
  const auto& some = asking(with, question::interaction, "real d");
  EXPECT_NEAR(*some.ratio, 1.1, 0.01);  // 69.52 us where 63.2 were to be expected
  EXPECT_GT(*some.difference_lo_ns, 6'320);
  EXPECT_LT(*some.difference_hi_ns, 3 * 6'320);
  EXPECT_EQ(some.says, verdict::slower);
}

TEST(Compare, PairsADriverWithRawAtTheSameServiceTime) {
  auto cells = ladder();
  for (const std::int64_t service_ns : {50'000, 200'000}) {
    for (const auto* client : {"raw", "libmongoc"}) {
      const double extra = client == std::string("raw") ? 0 : 6'600;
      cells.push_back(made_cell(client + std::to_string(service_ns), "tcpD", client,
                                wandering(static_cast<double>(service_ns) + 6'600 + extra, rows, 0.005)));
      cells.back().what.service_ns = service_ns;
    }
  }
  const auto pairs = compare(cells, delta);
  EXPECT_EQ(asking(pairs, question::overhead, "libmongoc50000").a, "raw50000");
  const auto& slow = asking(pairs, question::overhead, "libmongoc200000");
  EXPECT_EQ(slow.a, "raw200000");
  EXPECT_NEAR(*slow.difference_ns, 6'600, 300);
}

// Cells of different speed groups share rows but no group: they are paired across the row.
TEST(Compare, PairsAcrossGroupsWhereNoGroupIsShared) {
  auto cells = ladder_with_server(0);
  for (auto& one : cells) {
    if (one.what.rung != "real") continue;
    one.group = 1;
    for (auto& timed : one.rounds) timed.group = 1;
  }
  const auto pairs = compare(cells, delta);
  EXPECT_EQ(asking(pairs, question::work, "real").rows, rows);
  EXPECT_NEAR(*asking(pairs, question::work, "real").ratio, 56'600 / 26'500., 0.03);
  EXPECT_EQ(asking(pairs, question::interaction, "real d").rows, rows);
}

}  // namespace
}  // namespace bench
