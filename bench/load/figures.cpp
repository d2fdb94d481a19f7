#include "bench/load/figures.hpp"

#include "bench/statistics.hpp"

#include <algorithm>

namespace bench::load {

std::optional<spread> spread_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = median(values);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return spread{*least, middle, *most};
}

}  // namespace bench::load
