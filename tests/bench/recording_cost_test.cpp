#include "bench/recording_cost.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

// Some 2 ns optimized, tens without; a system call or an allocation per value would be far above.
TEST(RecordingCost, IsOfAFewInstructions) {
  const double cost = recording_cost_ns();
  EXPECT_GT(cost, 0);
  EXPECT_LT(cost, 1'000);
}

}  // namespace
}  // namespace bench
