#pragma once
// The table of what was counted in passes of its own, part of the console report.

#include "bench/result.hpp"

#include <string>
#include <vector>

namespace bench {

/// One line per cell that has counts, what they say of raw beside each driver, and why something is not there; empty when
/// no cell has counts. All cells are of one op.
std::string counts_table(const std::vector<const cell*>& cells);

}  // namespace bench
