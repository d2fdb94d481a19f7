#include "tools/ladder_result.hpp"

#include "bench/compare.hpp"
#include "bench/outcome.hpp"
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
  for (auto& made : bench::attribute(outcome.cells, compared, facts)) {
    const auto doubts = bench::doubts_of(made, outcome.cells, facts);
    outcome.warnings.insert(outcome.warnings.end(), doubts.begin(), doubts.end());
    to.attributions.push_back(std::move(made));
  }
  bench::append(to, std::move(outcome), compared);
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
