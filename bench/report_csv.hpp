#pragma once
// Tables of a result as comma-separated values (RFC 4180, lines end with a newline): one line with the names of the columns,
// which are the keys of the JSON, then one per cell, comparison or round. What is not known is empty.

#include "bench/result.hpp"

#include <string>

namespace bench {

std::string cells_csv(const result& measured);
std::string comparisons_csv(const result& measured);

/// One line per round of every cell, with the cell's id in front.
std::string rounds_csv(const result& measured);

}  // namespace bench
