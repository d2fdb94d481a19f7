#include "bench/outcome.hpp"

#include "bench/compare.hpp"
#include "bench/findings.hpp"

namespace bench {

void append(result& to, run_outcome outcome, const std::vector<comparison>& compared) {
  outcome.plan.aa_floor = aa_floor(compared);
  const auto add = [](auto& all, const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
  add(to.cells, outcome.cells);
  add(to.comparisons, compared);
  add(to.warnings, outcome.warnings);
  add(to.warnings, findings(compared, outcome.plan));
  to.plan.ops.push_back(std::move(outcome.plan));
}

}  // namespace bench
