#pragma once
// A short look before the ladder: how long the real server takes, so that the null server can be made nearly as slow.

#include "bench/ladder.hpp"
#include "bench/runner.hpp"

#include <chrono>
#include <vector>

namespace bench {

/// Measures a few rows of raw on the null server, with and without service time, and on the real one, and returns the service
/// times that hold the expected one between them; none where the real server is hardly slower than the null server. `how`
/// bounds it: its budget is the most that it takes, and the stop flag ends it early, with what is known until then.
absl::StatusOr<std::vector<std::chrono::nanoseconds>> find_near_target(const op& what, ladder_peers peers,
                                                                       wire::watchdog& dog,
                                                                       const waiting_times& waits,
                                                                       const run_options& how);

}  // namespace bench
