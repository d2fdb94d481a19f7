#pragma once
// Rounds in which nothing happened: a peer that was stopped, swapped out, or waits for a disk. The median of many rounds does
// not feel them, which is right for a ladder, and wrong to say nothing about (case C33).

#include "bench/result.hpp"

#include <cstddef>
#include <optional>

namespace bench {

/// The rounds of a cell that stood still, and for how long together.
struct standstill {
  std::size_t rounds = 0;
  double ns = 0;
  double pressed_ns =
      0;  ///< of it at most: a task of this machine waited for a cpu, so that others may be the cause
};

/// The least gap that counts as one; starting value. A scheduler's slices are shorter by far.
inline constexpr double standstill_ns = 200e6;

/// A round has a gap where its time passes the CPU time of both sides, what the cell's usual round has beside that, and what
/// the hypervisor took. Empty when no round has one.
std::optional<standstill> standstill_of(const cell& measured);

}  // namespace bench
