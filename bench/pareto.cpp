#include "bench/pareto.hpp"

#include <algorithm>

namespace bench {

std::vector<bool> pareto_best(std::span<const trade> choices) {
  std::vector<bool> best;
  for (const auto& one : choices) {
    best.push_back(std::none_of(choices.begin(), choices.end(), [&](const trade& other) {
      const bool as_good = other.throughput >= one.throughput && other.cpu <= one.cpu;
      return as_good && (other.throughput > one.throughput || other.cpu < one.cpu);
    }));
  }
  return best;
}

}  // namespace bench
