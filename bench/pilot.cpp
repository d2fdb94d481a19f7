#include "bench/pilot.hpp"

#include "bench/calibration.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

constexpr std::uint64_t pilot_rows = 8;

/// Long against what waiting costs by itself, so that it shows the number of round trips.
constexpr std::chrono::nanoseconds probe = std::chrono::microseconds(200);

double median_of(const std::vector<cell>& cells, std::string_view rung) {
  const auto found =
      std::find_if(cells.begin(), cells.end(), [&](const cell& one) { return one.what.rung == rung; });
  return found == cells.end() ? 0 : found->per_op.median_ns.value_or(0);
}

}  // namespace

absl::StatusOr<std::vector<std::chrono::nanoseconds>> find_near_target(const op& what, ladder_peers peers,
                                                                       wire::watchdog& dog,
                                                                       const waiting_times& waits,
                                                                       const run_options& how) {
  auto cells = plan_ladder(what, {"tcp0", "tcpD", "real"}, peers, dog, {{probe}, {}, waits.mode});
  std::erase_if(cells, [](const cell_plan& cell) {
    return cell.what.client != "raw" || cell.what.id.ends_with("/again");
  });
  auto options = how;
  options.max_rows = pilot_rows;
  options.precision = std::nullopt;
  const auto outcome = run(cells, options);
  if (!outcome.status.ok()) return outcome.status;
  if (outcome.plan.rows == 0) return std::vector<std::chrono::nanoseconds>{};

  const double instant_ns = median_of(outcome.cells, "tcp0");
  const double waited_ns = median_of(outcome.cells, "tcpD") - instant_ns;
  const double round_trips = std::max(1.0, std::round(waited_ns / static_cast<double>(probe.count())));
  std::vector<std::chrono::nanoseconds> near;
  for (const auto ns : service_times(median_of(outcome.cells, "real") - instant_ns, round_trips)) {
    const std::chrono::nanoseconds duration(ns / 100 * 100);  // no finer than anyone can read
    const bool there = std::find(waits.always.begin(), waits.always.end(), duration) != waits.always.end();
    const bool usual = ns == 50'000 || ns == 200'000 || ns == 1'000'000;
    if (duration.count() > 0 && !there && !usual) near.push_back(duration);
  }
  return near;
}

}  // namespace bench
