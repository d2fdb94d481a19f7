#pragma once
// The counting passes of one cell: fresh processes that run its op in a bare loop, one process per instrument.
//
//   memory         peak RSS and payload copies, told by the process itself
//   heap           some warmed-up ops with malloc_probe loaded
//   syscalls       under ptrace(2), two runs of different length, subtracted
//   instructions   by perf_event where it counts, else under callgrind, two runs subtracted

#include "bench/counting/subprocess.hpp"
#include "bench/result.hpp"

#include <functional>
#include <set>
#include <string>

namespace bench::counting {

inline constexpr const char* kinds[] = {"memory", "heap", "syscalls", "instructions"};

struct loop_program {
  /// The command that warms up by `warm_up` ops, runs `ops` and prints self_counts.
  std::function<words(std::uint64_t ops, std::uint64_t warm_up)> command;
  std::string malloc_probe;  ///< path of the shared library

  std::uint64_t warm_up = 200;
  std::uint64_t heap_ops = 16;
  std::uint64_t short_run = 200;  ///< of these two the difference counts
  std::uint64_t long_run = 1'200;
};

/// Runs the passes of those kinds. What fails or cannot be had stands in `unknown`, with the reason.
cell_counts count_cell(const loop_program& loop, const std::set<std::string>& wanted);

}  // namespace bench::counting
