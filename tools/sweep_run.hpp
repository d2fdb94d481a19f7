#pragma once
// A sweep as a whole: servers, payload, rounds, counts; saved and printed.

#include "tools/sweep_command.hpp"

namespace tools {

/// Returns the exit code.
int run_sweep(const sweep_command& options);

}  // namespace tools
