// `wirebench doctor --self-test`: what is put in is found. Its own bounds are for quiet machines; here they are wide.

#include "tests/integration/command.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <regex>
#include <sstream>

namespace {

struct figures {
  double put_in_us;
  double found_us;
};

/// Empty where there were too few rows to find anything.
std::optional<figures> figures_in(const std::string& line) {
  if (line.find("too few rows") != std::string::npos) return std::nullopt;
  std::smatch found;
  const std::regex pattern(R"((\d+\.\d+) us in the .*? (-?\d+\.\d+) us \[)");
  EXPECT_TRUE(std::regex_search(line, found, pattern)) << line;
  if (found.empty()) return std::nullopt;
  return figures{std::stod(found[1]), std::stod(found[2])};
}

TEST(doctor, self_test_finds_what_was_put_in) {
  const auto run = tests::run_wirebench({"doctor", "--self-test", "--quiet"});
  std::map<std::string, std::string> lines;
  std::istringstream out(run.out);
  for (std::string line; std::getline(out, line);) lines[line.substr(0, line.find("  "))] = line;
  ASSERT_EQ(lines.size(), 6U) << run.out << run.err;

  for (const auto* what :
       {"server time, by difference", "server time, by calibration", "a spin is driver overhead"}) {
    const auto& line = lines[what];
    const auto seen = figures_in(line);
    if (!seen) continue;
    EXPECT_GE(seen->found_us, 0.8 * seen->put_in_us) << line;
    if (line.find("unsure") == std::string::npos) {  // not too loaded to tell
      EXPECT_LE(seen->found_us, 2 * seen->put_in_us) << line;
    }
  }
  EXPECT_EQ(lines.count("raw has no overhead over raw"), 1U) << run.out;

  std::smatch stood;
  const std::regex named(R"(W-FROZEN .* stood still for (\d+\.\d+) s)");
  ASSERT_TRUE(std::regex_search(lines["a frozen peer is named"], stood, named)) << run.out;
  EXPECT_GE(std::stod(stood[1]), 0.5);

  const bool wrong = run.out.find("WRONG") != std::string::npos;
  const bool unsure = run.out.find("unsure") != std::string::npos;
  EXPECT_EQ(run.code, wrong ? 1 : unsure ? 4 : 0) << run.out << run.err;
}

}  // namespace
