#pragma once
// A ladder whose budget is shared among fresh processes, as one result.

#include "tools/ladder_options.hpp"
#include "tools/progress.hpp"

#include "absl/status/status.h"

namespace tools {

/// Fills `result`, with what was measured before a failure too. InvalidArgument where the rungs cannot be measured so.
absl::Status measure_in_processes(const ladder_options& options, const chosen_ops& ops, progress_bar& bar,
                                  bench::result& result);

}  // namespace tools
