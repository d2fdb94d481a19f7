#pragma once
// Whether figures of two results may stand side by side, as far as their contexts tell (measurement method, part 5).

#include "bench/environment.hpp"
#include "bench/warning.hpp"

#include <vector>

namespace bench {

struct context_difference {
  bool machine = false;  ///< another machine or kernel: times do not travel, ratios do
  bool build =
      false;  ///< wirebench optimized or checked otherwise: its clients are others, and so are ratios
  std::vector<warning> warnings;
};

/// What differs from `a` to `b`, with a warning for each fact that moves figures. Facts of one run (its start, the load,
/// the command) are passed over, and so is wirebench's version, which is what comparisons are made for.
context_difference compare_contexts(const context& a, const context& b);

}  // namespace bench
