#include "bench/pareto.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

TEST(Pareto, KeepsWhatNothingElseBeats) {
  const std::vector<trade> choices{
      {100, 5},   // the fastest
      {90, 6},    // slower than it, for more
      {80, 3},    // slower, for less
      {80, 4},    // as fast as that one, for more
      {70, 3},    // for as much, slower
      {10, 0.5},  // the cheapest
  };
  EXPECT_EQ(pareto_best(choices), (std::vector<bool>{true, false, true, false, false, true}));
}

TEST(Pareto, EqualsAreBothBest) {
  const std::vector<trade> choices{{1, 1}, {1, 1}};
  EXPECT_EQ(pareto_best(choices), (std::vector<bool>{true, true}));
}

TEST(Pareto, OfNothingIsNothing) {
  EXPECT_TRUE(pareto_best({}).empty());
}

}  // namespace
}  // namespace bench
