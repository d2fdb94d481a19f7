#pragma once
// How the program ends.

#include "absl/status/status.h"

namespace tools {

enum exit_code : int {
  success = 0,
  failure = 1,
  usage = 2,
  regression = 3,
  inconclusive = 4,
  undecodable = 5,
  interrupted = 130
};

/// Prints a failed status as one line on stderr and returns the code for it.
int report(const absl::Status& status);

/// The end of a measurement: a failed status as above; else `interrupted` when it was stopped; else what it has found.
int report(const absl::Status& status, bool stopped, exit_code found = success);

}  // namespace tools
