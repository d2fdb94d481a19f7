#include "bench/verdict.hpp"

#include <cmath>

namespace bench {

verdict judge(const estimate& log_ratio, std::optional<double> aa_floor, bool bimodal, double delta) {
  if (!log_ratio.range || !aa_floor || bimodal) return verdict::inconclusive;
  const double threshold = std::log1p(delta);
  const auto [lo, hi, coverage] = *log_ratio.range;
  if (lo >= -threshold && hi <= threshold && *aa_floor <= threshold) return verdict::equivalent;
  if (std::abs(log_ratio.value) < *aa_floor) return verdict::inconclusive;
  if (hi < 0) return verdict::faster;
  if (lo > 0) return verdict::slower;
  return verdict::inconclusive;
}

const char* name(verdict says) {
  switch (says) {
    case verdict::equivalent:
      return "equivalent";
    case verdict::inconclusive:
      return "inconclusive";
    case verdict::faster:
      return "faster";
    case verdict::slower:
      return "slower";
    case verdict::different_environment:
      return "different-environment";
  }
  return "";
}

}  // namespace bench
