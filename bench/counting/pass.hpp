#pragma once
// The counting passes of one cell: fresh processes that run its op in a bare loop, one process per instrument.
//
//   memory         peak RSS and payload copies, told by the process itself
//   heap           16 warmed-up ops with malloc_probe loaded
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
};

/// Runs the passes of those kinds. What fails or cannot be had stands in `unknown`, with the reason.
cell_counts count_cell(const loop_program& loop, const std::set<std::string>& wanted);

}  // namespace bench::counting
