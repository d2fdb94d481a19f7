#pragma once
// What a tight loop says against itself.

#include "bench/result.hpp"

#include <vector>

namespace bench::load {

/// Of a cell with `load`:
///   W-ACK     a mode near 40 ms: Nagle's algorithm waits for a delayed ACK
///   W-FROZEN  a closed loop that stood still: all that was due meanwhile is missing
///   W-RATE    an open loop whose rate was not kept
///   W-LITTLE  latencies that add up to more than connections x elapsed time
///   W-SHORT   measured for less time than was warmed up
///   W-PORTS   no local port was left for a connection
///   W-ERRORS  ops that failed
///   W-PLACE   threads that no cpu was given
std::vector<warning> doubts(const cell& measured);

}  // namespace bench::load
