#pragma once
// The test of unpaired samples: do the values of b tend to lie above those of a?
//
//   U = number of pairs with a_i < b_j, and half the pairs with a_i = b_j
//
// If both samples come from one distribution, every arrangement of the n1 + n2 values is equally likely, whatever the
// distribution is. So p is counted for small samples, and for larger ones U is close to normal with mean n1 n2 / 2 and
// variance n1 n2 / 12 * ((N + 1) - sum(t^3 - t) / (N (N - 1))), N = n1 + n2, t the sizes of groups of equal values.
// U looks at ranks and not at medians: it can be significant between equal medians (measurement method, part 5).

#include <cstddef>
#include <span>
#include <vector>

namespace bench {

struct mann_whitney {
  double u = 0;        ///< n1 n2 / 2 where neither tends to be larger
  double p = 1;        ///< two-sided, of one comparison
  bool exact = false;  ///< counted, not approximated
};

/// Exact without ties and with at most 20 values a side, else the normal form with its continuity correction. Neither is
/// empty.
mann_whitney mann_whitney_test(std::span<const double> a, std::span<const double> b);

/// The p of samples that do not overlap, 2 / C(n1 + n2, n1): no data of these sizes has a smaller one.
double smallest_p(std::size_t n1, std::size_t n2);

/// Fewest values a side for which smallest_p is at most `level`.
std::size_t samples_for(double level);

/// p-values corrected for their number by Holm's method, in the order given: with p sorted,
/// p'_(i) = max over j <= i of min(1, (m - j + 1) p_(j)).
std::vector<double> holm(std::span<const double> p);

}  // namespace bench
