#pragma once
// What a comparison amounts to (measurement method, part 15). "No change" is a named state: otherwise "not
// significant" is read as "the same".

#include "bench/statistics.hpp"

#include <optional>

namespace bench {

/// `different_environment` comes from comparisons of stored files alone: their parameters or machines differ.
enum class verdict { equivalent, inconclusive, faster, slower, different_environment };

/// The first that matches:
///   inconclusive   no interval, or rounds of either cell in two modes, or no A/A floor
///   equivalent     interval and A/A floor both inside [1/(1+delta), 1+delta]
///   inconclusive   the effect is below the A/A floor
///   faster/slower  interval wholly below / above 1
///   inconclusive   anything else
///
/// `log_ratio` is ln(time of b / time of a) with its interval at the corrected level, `aa_floor` the upper
/// end of |ln ratio| of raw against itself, `delta` the threshold (0.02 is 2 %).
verdict judge(const estimate& log_ratio, std::optional<double> aa_floor, bool bimodal, double delta);

const char* name(verdict says);

}  // namespace bench
