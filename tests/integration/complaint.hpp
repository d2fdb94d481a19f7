#pragma once
// Runs that must fail, and the one clear line that they complain with.

#include "tests/integration/command.hpp"

#include <gtest/gtest.h>

namespace tests {

/// `run` has failed with that code, and has said so in one line that names all `parts`.
inline void expect_one_line(const ended& run, int code, const std::vector<std::string>& parts) {
  EXPECT_EQ(run.code, code) << run.err;
  EXPECT_EQ(tests::lines_of(run.err), 1U) << run.err;
  EXPECT_TRUE(run.err.starts_with("wirebench: ")) << run.err;
  for (const auto& part : parts) EXPECT_NE(run.err.find(part), std::string::npos) << part << ": " << run.err;
}

/// The quickest run of a subcommand that talks to a real server.
inline ended against(const std::string& op, const std::string& uri, const scratch& place = scratch()) {
  return run_wirebench(
      {"ladder", "--op", op, "--rung", "real", "--budget", "2", "--timeout", "0.3", "--real", uri}, place);
}

inline ended loop_against(const std::string& client, const std::string& op, const std::string& uri) {
  return run_wirebench({"loop", client, op, "1", "--timeout", "0.3", "--real", uri});
}

}  // namespace tests
