#include "bench/load/mix.hpp"

#include <gtest/gtest.h>

#include <array>

namespace bench::load {
namespace {

std::vector<std::size_t> draws(std::vector<std::uint32_t> weights, std::uint64_t seed, int count) {
  mix from(weights, seed);
  std::vector<std::size_t> drawn;
  for (int i = 0; i < count; ++i) drawn.push_back(from.next());
  return drawn;
}

TEST(mix, seed_fixes_the_order) {
  EXPECT_EQ(draws({9, 1}, 7, 100), draws({9, 1}, 7, 100));
  EXPECT_NE(draws({9, 1}, 7, 100), draws({9, 1}, 8, 100));
}

TEST(mix, one_op_is_always_drawn) {
  EXPECT_EQ(draws({5}, 1, 3), (std::vector<std::size_t>{0, 0, 0}));
}

// 100,000 draws at 0.2, 0.3 and 0.5: six standard deviations are at most 6 * sqrt(100,000 / 4) = 949.
TEST(mix, draws_by_weight) {
  std::array<int, 3> counts{};
  for (const auto each : draws({2, 3, 5}, 1, 100'000)) ++counts.at(each);
  EXPECT_NEAR(counts[0], 20'000, 949);
  EXPECT_NEAR(counts[1], 30'000, 949);
  EXPECT_NEAR(counts[2], 50'000, 949);
}

}  // namespace
}  // namespace bench::load
