#include "bench/unpaired.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

/// Everything of a row that does not depend on the other rows, but for their number.
std::optional<unpaired> alone(const two_samples& row, std::size_t m) {
  const auto a = estimate_median(row.a), b = estimate_median(row.b);
  if (!a || !b) return std::nullopt;
  unpaired found{.a = *a, .b = *b, .ratio = b->value / a->value};
  const auto wide_a = estimate_median(row.a, 2 * m)->range, wide_b = estimate_median(row.b, 2 * m)->range;
  if (wide_a && wide_b) {
    found.bounds = interval{.lo = wide_b->lo / wide_a->hi,
                            .hi = wide_b->hi / wide_a->lo,
                            .coverage = wide_a->coverage + wide_b->coverage - 1};
  }
  found.test = mann_whitney_test(row.a, row.b);
  found.samples_needed = unpaired_samples_needed(m);
  found.too_few = std::min(row.a.size(), row.b.size()) < found.samples_needed;
  found.bimodal = two_modes(row.a).has_value() || two_modes(row.b).has_value();
  return found;
}

verdict judge(const unpaired& row, std::optional<double> aa_floor, double delta) {
  estimate log_ratio{.value = std::log(row.ratio), .range = std::nullopt};
  if (row.bounds) {
    log_ratio.range = {std::log(row.bounds->lo), std::log(row.bounds->hi), row.bounds->coverage};
  }
  const auto says = judge(log_ratio, aa_floor.value_or(0), row.bimodal, delta);
  const bool differs = says == verdict::faster || says == verdict::slower;
  return differs && row.p > alpha ? verdict::inconclusive : says;
}

}  // namespace

std::size_t unpaired_samples_needed(std::size_t m) {
  return std::max(samples_for(alpha / static_cast<double>(m)), rows_needed(2 * m));
}

std::vector<std::optional<unpaired>> compare_unpaired(std::span<const two_samples> rows, double delta) {
  std::vector<std::optional<unpaired>> table;
  std::vector<double> p;
  for (const auto& row : rows) {
    table.push_back(alone(row, rows.size()));
    p.push_back(table.back() ? table.back()->test.p : 1);
  }
  const auto corrected = holm(p);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!table[i]) continue;
    table[i]->p = corrected[i];
    table[i]->says = judge(*table[i], rows[i].aa_floor, delta);
  }
  return table;
}

}  // namespace bench
