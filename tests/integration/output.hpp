#pragma once
// Somebody else's program, run to its end.

#include "fixtures/program.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tests {

/// What a program writes to stdout and stderr. One that fails, or takes longer than a minute, fails the test.
inline std::string output_of(std::vector<std::string> line) {
  line.insert(line.begin(), {"/usr/bin/timeout", "60"});
  const auto directory = fixtures::temp_dir::make();
  if (!directory.ok()) {
    ADD_FAILURE() << directory.status();
    return {};
  }
  const std::string log = directory->path() + "/log";
  const auto ended = fixtures::run_to_end({.words = std::move(line), .log_path = log});
  EXPECT_TRUE(ended.ok()) << ended;
  std::ifstream text(log);
  return {std::istreambuf_iterator<char>(text), {}};
}

}  // namespace tests
