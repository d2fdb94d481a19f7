#pragma once
// A result for eyes and pipes that are used to FreeBSD's ministat.

#include "bench/result.hpp"

#include <string>

namespace bench {

/// The cell's rounds as ministat reads them: ns per op, one a line, in the order of the rows.
std::string round_values(const cell& measured);

/// The block that ministat prints, for both cells of every comparison. Student's t knows no pairs and takes rounds for normal
/// and independent: the verdict that counts is the comparison's own, which follows each block.
std::string report_ministat(const result& measured);

}  // namespace bench
