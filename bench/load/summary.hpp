#pragma once
// From what threads and observer have gathered to the cell of a result.

#include "bench/load/observer.hpp"

namespace bench::load {

/// Once all threads are through, with their connections still open. Labels are left to the caller, but for the placement.
cell sum_up(run_state& state, const workers& of, observer& eye);

}  // namespace bench::load
