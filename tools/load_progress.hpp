#pragma once
// The progress of a tight loop: a line each second on stderr.

#include "bench/load/plan.hpp"

namespace tools {

/// "progress: 3 s, 41,230 ops/s, p50 23.10 us, p99 31.00 us, max 120.4 us, 0 errors"; as JSON one object a line. What a second
/// has too few ops for is "-" or null, like the rate of the warm-up.
void print_second(const bench::load::second& last, bool json);

}  // namespace tools
