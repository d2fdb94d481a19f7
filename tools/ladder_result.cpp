#include "tools/ladder_result.hpp"

#include "bench/compare.hpp"
#include "bench/findings.hpp"
#include "bench/stages.hpp"

#include <algorithm>

namespace tools {

bench::attribution_facts facts_without_server(const bench::result& measured) {
  const auto& clock = measured.clock;
  return {.reading_cost_ns = static_cast<double>(bench::reading_cost_ns(bench::stamp_clock::wall)),
          .cpu_reading_cost_ns = static_cast<double>(bench::reading_cost_ns(bench::stamp_clock::thread)),
          .reading_uncertainty_ns = static_cast<double>(clock.read_cost_p99_ns - clock.read_cost_p50_ns),
          .seed = measured.plan.seed};
}

void append_op(bench::result& to, bench::run_outcome outcome, const bench::attribution_facts& facts) {
  const auto compared = bench::compare(outcome.cells, to.plan.delta);
  outcome.plan.aa_floor = bench::aa_floor(compared);
  const auto append = [](auto& all, auto&& more) { all.insert(all.end(), more.begin(), more.end()); };
  for (auto& made : bench::attribute(outcome.cells, compared, facts)) {
    append(outcome.warnings, bench::doubts_of(made, outcome.cells, facts));
    to.attributions.push_back(std::move(made));
  }
  append(to.cells, outcome.cells);
  append(to.comparisons, compared);
  append(to.warnings, outcome.warnings);
  append(to.warnings, bench::findings(compared, outcome.plan));
  to.plan.ops.push_back(std::move(outcome.plan));
}

bool is_conclusive(const bench::result& measured) {
  const auto& attributed = measured.attributions;
  const auto& pairs = measured.comparisons;
  return std::all_of(attributed.begin(), attributed.end(),
                     [](const auto& made) { return made.judged.closed; }) &&
         std::none_of(pairs.begin(), pairs.end(), [](const auto& one) {
           return one.asks == bench::question::overhead && one.says == bench::verdict::inconclusive;
         });
}

}  // namespace tools
