#pragma once
// Did a cell's rounds stay at one level? (measurement method, part 6)
//
// A line and two levels are fitted to the round times in their order, by least squares:
//
//   drift = slope (R - 1) / median            what the line rises over all R rounds
//   step  = (upper - lower level) / median    at the split that fits best; each level holds four rounds and a tenth of all
//
// Whichever fits better names the course, if it is larger than 1 % and stands out of the noise: two levels fit pure noise
// better than a line nearly always. Standing out is 3.5 standard errors, computed from what the fit leaves and from how many
// independent rounds that is worth: of a hundred runs of 100 or 500 independent rounds one is called a step (simulated), of
// rounds that share half of their neighbour's noise two to six.
// For the label, the twentieth of the values at either end counts as the one next to it, or two disturbed rounds at the end of
// sixty would be a step. Drift that both cells of a pair share cancels in their ratio, so rounds are flagged for it and never
// dropped.

#include <cstddef>
#include <optional>
#include <span>

namespace bench {

enum class course { steady, drifting, step };

struct steadiness {
  course label = course::steady;
  double drift = 0;  ///< relative: 0.01 is 1 % from the first round to the last
  double step = 0;   ///< relative, of the best split
  double neighbours =
      0;  ///< Spearman's correlation of each round with the next: 0 where they are independent
};

/// Times per op of one cell's rounds, in their order, all above 0. Empty for fewer than eight rounds.
std::optional<steadiness> course_of(std::span<const double> times);

/// Spearman's rank correlation; equal values share the mean of their ranks. 0 where all values of a side are equal. Both
/// sides have the same size.
double spearman(std::span<const double> x, std::span<const double> y);

const char* name(course label);

}  // namespace bench
