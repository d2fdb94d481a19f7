#pragma once
// The main job: every rung of every op, in this process or in several, counted afterwards, saved and printed.

#include "tools/ladder_options.hpp"

namespace tools {

/// Returns the exit code.
int run_ladder(const ladder_options& options);

}  // namespace tools
