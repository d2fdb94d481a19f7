#include "bench/schedule.hpp"

#include <gtest/gtest.h>

#include <set>

namespace bench {
namespace {

TEST(LatinRow, PutsEveryCellOnceIntoEveryPositionOfABlock) {
  constexpr std::size_t cells = 5;
  for (std::uint64_t block = 0; block < 3; ++block) {
    std::vector<std::set<std::size_t>> seen_at(cells);
    for (std::uint64_t row = block * cells; row < (block + 1) * cells; ++row) {
      const auto order = latin_row(cells, row, 42);
      EXPECT_EQ(std::set(order.begin(), order.end()).size(), cells);
      for (std::size_t position = 0; position < cells; ++position) seen_at[position].insert(order[position]);
    }
    for (const auto& seen : seen_at) EXPECT_EQ(seen.size(), cells);
  }
}

TEST(LatinRow, RotatesOnePermutationWithinABlock) {
  const auto first = latin_row(4, 8, 1);  // the first row of the third block
  const auto second = latin_row(4, 9, 1);
  for (std::size_t position = 0; position < 4; ++position)
    EXPECT_EQ(second[position], first[(position + 1) % 4]);
}

TEST(LatinRow, OfTwoCellsIsABThenBA) {
  const auto first = latin_row(2, 0, 7);
  EXPECT_EQ(latin_row(2, 1, 7), (std::vector{first[1], first[0]}));
}

TEST(LatinRow, DependsOnTheSeedAndTheBlockAlone) {
  EXPECT_EQ(latin_row(8, 3, 42), latin_row(8, 3, 42));
  EXPECT_NE(latin_row(8, 0, 42), latin_row(8, 0, 43));
  EXPECT_NE(latin_row(8, 0, 42), latin_row(8, 8, 42));
}

TEST(GroupBySpeed, KeepsCellsWithinFivefoldOfTheAnchorTogether) {
  // mem, unix, tcp0 (the anchor), a driver, another one exactly fivefold slower than the anchor
  const auto groups = group_by_speed(std::vector{500.0, 6'000.0, 10'000.0, 14'000.0, 50'000.0}, 2);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cells, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(groups[0].ops, 500u);  // 5 ms of the anchor
}

TEST(GroupBySpeed, DoesNotOrderByTimesThatANextRunWillNotRepeat) {
  const auto groups = group_by_speed(std::vector{10'200.0, 10'000.0, 14'000.0, 11'000.0}, 0);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cells, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(GroupBySpeed, PutsSlowCellsApartWithTheAnchorAmongThem) {
  // anchor, real raw, driver, real driver, a much slower server
  const auto groups = group_by_speed(std::vector{10'000.0, 200'000.0, 14'000.0, 240'000.0, 8'000'000.0}, 0);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].cells, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(groups[1].cells, (std::vector<std::size_t>{1, 3, 0}));
  EXPECT_EQ(groups[1].ops, 25u);  // 5 ms of the fastest of them
  EXPECT_EQ(groups[2].cells, (std::vector<std::size_t>{4, 0}));
  EXPECT_EQ(groups[2].ops, 1u);
}

TEST(OpsPerRound, FillFiveMillisecondsWithOneOpAtLeast) {
  EXPECT_EQ(ops_per_round(25'000), 200u);
  EXPECT_EQ(ops_per_round(99'999), 51u);
  EXPECT_EQ(ops_per_round(3'000'000), 2u);
  EXPECT_EQ(ops_per_round(1e9), 1u);
}

TEST(BlockRows, BalanceAllGroupsAtOnce) {
  EXPECT_EQ(block_rows({{{0, 1, 2}, 1}}), 3u);
  EXPECT_EQ(block_rows({{{0, 1, 2, 3}, 1}, {{4, 5, 0, 6, 7, 8}, 1}}), 12u);
}

}  // namespace
}  // namespace bench
