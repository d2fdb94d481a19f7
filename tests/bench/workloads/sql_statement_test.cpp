#include "bench/workloads/sql_statement.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace bench::workloads {
namespace {

std::int64_t value_of(codecs::bytes_view big_endian) {
  std::uint64_t value = 0;
  for (const auto byte : big_endian) value = value << 8 | byte;
  return static_cast<std::int64_t>(value);
}

TEST(sql_values, are_uniform_between_their_limits_which_are_included) {
  sql_values values({.text = "SELECT $1", .parameters = {{4, 3, 6}}});
  std::set<std::int64_t> drawn;
  for (int i = 0; i < 1000; ++i) {
    values.draw();
    ASSERT_EQ(values.binary(0).size(), 4U);
    drawn.insert(value_of(values.binary(0)));
  }
  EXPECT_EQ(drawn, (std::set<std::int64_t>{3, 4, 5, 6}));
}

// 64 draws from 2^64 values: each half of them is drawn from, but for a chance of 2^-63.
TEST(sql_values, may_be_any_int8) {
  using int8 = std::numeric_limits<std::int64_t>;
  sql_values values({.text = "SELECT $1", .parameters = {{8, int8::min(), int8::max()}}});
  std::set<bool> negative;
  for (int i = 0; i < 64; ++i) {
    values.draw();
    negative.insert(value_of(values.binary(0)) < 0);
  }
  EXPECT_EQ(negative, (std::set<bool>{false, true}));
}

TEST(sql_values, stand_in_the_text_of_a_simple_query) {
  sql_values values({.text = "SELECT $2, $1, '$', $3, $12", .parameters = {{8, -7, -7}, {4, 42, 42}}});
  values.draw();
  EXPECT_EQ(values.text(), "SELECT 42, -7, '$', $3, $12");
  EXPECT_EQ(value_of(values.binary(0)), -7);
}

}  // namespace
}  // namespace bench::workloads
