#pragma once
// Which choices nobody can better in one respect without paying in another. Pure.

#include <span>
#include <vector>

namespace bench {

/// What one choice gives and what it costs.
struct trade {
  double throughput = 0;  ///< more is better
  double cpu = 0;         ///< less is better
};

/// For each choice, in order: whether no other one has at least its throughput for at most its CPU and is better in one of the two.
/// Equal ones are both best.
std::vector<bool> pareto_best(std::span<const trade> choices);

}  // namespace bench
