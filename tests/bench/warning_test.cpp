#include "bench/warning.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

std::string flag_left(const std::string& flag, const std::vector<std::string>& command_line) {
  std::vector<warning> warnings{{"W-ROWS", "5 of 6 rows", "too few", "measure longer", "ping", flag}};
  drop_given_flags(warnings, command_line);
  return warnings.front().flag;
}

TEST(GivenFlags, AreNotSuggestedAgain) {
  EXPECT_EQ(flag_left("--budget 40", {"wirebench", "ladder"}), "--budget 40");
  EXPECT_EQ(flag_left("--budget 40", {"wirebench", "ladder", "--budget", "20"}), "");
  EXPECT_EQ(flag_left("--budget 40", {"wirebench", "ladder", "--budget=20"}), "");
}

TEST(GivenFlags, AreToldByTheirWholeName) {
  EXPECT_EQ(flag_left("--budget 40", {"--budgets", "--bud", "budget"}), "--budget 40");
  EXPECT_EQ(flag_left("", {"--quiet", ""}), "");
}

}  // namespace
}  // namespace bench
