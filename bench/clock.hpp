#pragma once
// The one clock that feeds differences. Wall time appears only as a start stamp (environment).

#include <cstdint>
#include <string>

namespace bench {

/// CLOCK_MONOTONIC, in ns since some point in the past.
std::int64_t now_ns();

/// What the clock is worth on this machine. Without it a 40 ns stage may be pure clock cost.
struct clock_record {
  std::string source;                 ///< the kernel's clocksource: "tsc", "kvm-clock"; empty when not told
  std::int64_t resolution_ns = 0;     ///< smallest step seen that is not zero
  std::int64_t read_cost_p50_ns = 0;  ///< of one now_ns(), nearest rank
  std::int64_t read_cost_p99_ns = 0;
  int cpus_checked = 0;              ///< cpus of the affinity mask that were visited in turn
  std::uint64_t backward_steps = 0;  ///< readings below one taken before on another cpu; 0 on a sane machine
};

/// Takes some 20 ms. Visits every allowed cpu and leaves the affinity as it was.
clock_record calibrate_clock();

}  // namespace bench
