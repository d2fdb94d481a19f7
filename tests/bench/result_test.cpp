#include "bench/result.hpp"

#include "tests/bench/made_cells.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

TEST(Summary, IsTheMedianPerOpWithItsInterval) {
  const auto one = made_cell("raw", "tcp0", "raw", {50, 10, 20, 30, 40, 60});
  EXPECT_EQ(one.per_op.median_ns, 35.0);
  EXPECT_EQ(one.per_op.lo_ns, 10.0);  // six rounds: the interval is the full range
  EXPECT_EQ(one.per_op.hi_ns, 60.0);
  EXPECT_FALSE(one.per_op.server_cpu_ns);
  EXPECT_FALSE(one.per_op.frames_out);
  EXPECT_FALSE(one.per_op.syscalls);
}

TEST(Summary, CountsPerOpAndLeavesTheUnknownEmpty) {
  auto one = made_cell("raw", "tcp0", "raw", {10, 10, 10});
  for (auto& timed : one.rounds) {
    timed.client_cpu_ns = 40;
    timed.server_cpu_ns = 60;
    timed.moved = traffic{.frames_out = 10, .frames_in = 20, .bytes_out = 580, .bytes_in = 1000};
    timed.syscalls = 20;
  }
  summarize(one);
  EXPECT_EQ(one.per_op.client_cpu_ns, 4.0);
  EXPECT_EQ(one.per_op.server_cpu_ns, 6.0);
  EXPECT_EQ(one.per_op.frames_out, 1.0);
  EXPECT_EQ(one.per_op.frames_in, 2.0);
  EXPECT_EQ(one.per_op.bytes_out, 58.0);
  EXPECT_EQ(one.per_op.bytes_in, 100.0);
  EXPECT_EQ(one.per_op.syscalls, 2.0);
  EXPECT_FALSE(one.per_op.lo_ns);  // three rounds have no interval

  one.rounds[1].server_cpu_ns = std::nullopt;
  summarize(one);
  EXPECT_FALSE(one.per_op.server_cpu_ns);
}

TEST(Summary, TakesTheRoundsOfTheCellsOwnGroupAlone) {
  auto anchor = made_cell("raw", "tcp0", "raw", {10, 10, 10, 900, 900, 900});
  for (std::size_t i = 3; i < 6; ++i) anchor.rounds[i].group = 1;
  summarize(anchor);
  EXPECT_EQ(anchor.per_op.median_ns, 10.0);
}

// Case C34: statistics over an empty set are empty, not NaN and not zero.
TEST(Summary, OfNoRoundsIsEmpty) {
  const auto none = made_cell("raw", "tcp0", "raw", {});
  EXPECT_FALSE(none.per_op.median_ns);
  EXPECT_FALSE(none.per_op.lo_ns);
  EXPECT_FALSE(none.per_op.client_cpu_ns);
  EXPECT_FALSE(none.per_op.server_cpu_ns);
  EXPECT_FALSE(none.per_op.bytes_in);
  EXPECT_FALSE(none.per_op.syscalls);
}

TEST(FindCell, GoesById) {
  const std::vector cells{made_cell("x", "tcp0", "raw", {}), made_cell("y", "mem", "raw", {})};
  EXPECT_EQ(find_cell(cells, "y"), &cells[1]);
  EXPECT_EQ(find_cell(cells, "z"), nullptr);
}

}  // namespace
}  // namespace bench
