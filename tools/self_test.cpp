#include "tools/self_test.hpp"

#include "bench/attribution.hpp"
#include "bench/compare.hpp"
#include "bench/ladder.hpp"
#include "bench/runner.hpp"

#include "tools/disturbed.hpp"
#include "tools/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tools {
namespace {

using namespace std::chrono_literals;
using opened = absl::StatusOr<std::unique_ptr<bench::workload>>;

constexpr double budget_s = 4;
constexpr double six_cells_budget_s = 8;
constexpr double delta = 0.02;  // the ladder's, when none is given
constexpr auto slow_server = "null:200us";
constexpr std::chrono::seconds patience = 10s;
constexpr double freeze_budget_s = 3;

using truths_or = absl::StatusOr<std::vector<truth>>;

class truth_tests {
 public:
  explicit truth_tests(const self_comparison& how) : how_(how) {}

  truths_or service_time_is_server_time();
  truths_or spin_is_driver_overhead();
  truths_or raw_has_no_overhead();
  truths_or frozen_peer_is_named();

 private:
  bench::run_options options(double seconds) const;
  std::vector<bench::cell_plan> raw_cells(const bench::peer& null, wire::watchdog& dog) const;

  const self_comparison& how_;
};

bench::run_options truth_tests::options(double seconds) const {
  bench::run_options options;
  options.budget_s = seconds;
  options.seed = how_.seed;
  options.cpu = how_.cpu;
  options.stop = how_.stop;
  options.on_progress = [this](const bench::run_progress& now) {
    how_.on_progress(now.elapsed_s / now.budget_s);
  };
  return options;
}

/// Raw twice, and a third time with nothing altered yet.
std::vector<bench::cell_plan> truth_tests::raw_cells(const bench::peer& null, wire::watchdog& dog) const {
  auto cells = bench::plan_ladder(*bench::find_op("ping"), {"tcp0"}, {.null = &null}, dog);
  cells.push_back(cells.front());
  return cells;
}

/// The comparison that asks so; without a ratio when there were too few rows.
bench::comparison answer_to(bench::question asked, const std::vector<bench::comparison>& pairs) {
  const auto found =
      std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.asks == asked; });
  return found == pairs.end() ? bench::comparison{} : *found;
}

std::optional<bench::estimate> difference_in(const bench::comparison& pair) {
  if (!pair.difference_lo_ns) return std::nullopt;
  return bench::estimate{*pair.difference_ns,
                         bench::interval{*pair.difference_lo_ns, *pair.difference_hi_ns, pair.level}};
}

/// Of each op of that cell, what passed while neither side was on the cpu that they share: it was somebody else's.
double taken_ns(const bench::cell& one) {
  std::vector<double> each;
  for (const auto& round : one.rounds) {
    const auto own_ns = round.client_cpu_ns + round.server_cpu_ns.value_or(0);
    each.push_back(static_cast<double>(round.elapsed_ns - own_ns) / static_cast<double>(round.ops));
  }
  return each.empty() ? 0 : std::max(0.0, bench::median(each));
}

/// What this run cannot tell from nothing: how far raw is from raw, and what others took from the altered cells.
double noise_of(const std::vector<bench::cell>& cells, const std::vector<bench::comparison>& pairs) {
  double ns = std::expm1(bench::aa_floor(pairs).value_or(0)) * cells.front().per_op.median_ns.value_or(0);
  for (const auto& one : cells) {
    if (one.what.rung != "tcp0") ns += taken_ns(one);
  }
  return ns;
}

truth in_microseconds(std::string what, std::string put_in, double put_in_ns,
                      const std::optional<bench::estimate>& found_ns, double noise_ns, double bound_ns) {
  truth made{.what = std::move(what), .put_in = std::move(put_in), .found = "too few rows", .bound = {}};
  made.bound = fmt::format("+-{:.1f} us", bound_ns / 1e3);
  if (!found_ns || !found_ns->range) return made;
  const auto [lo, hi, coverage] = *found_ns->range;
  made.found = fmt::format("{:.2f} us [{:.2f}, {:.2f}]", found_ns->value / 1e3, lo / 1e3, hi / 1e3);
  made.says = judge(put_in_ns, {found_ns->value, lo, hi, noise_ns}, bound_ns);
  return made;
}

/// A null server stands for the real one, and the ladder looks for its time between service times that it is told.
truths_or truth_tests::service_time_is_server_time() {
  auto null = start_null(wire::protocol::mongo, how_.cpu);
  if (!null.ok()) return null.status();
  auto slow = start_real(slow_server, wire::protocol::mongo, how_.cpu, patience);
  if (!slow.ok()) return slow.status();
  wire::watchdog dog{patience};  // a thread: only after the forks
  const bench::waiting_times waits{.always = {}, .near_target = {50us, 150us, 300us}};
  auto cells = bench::plan_ladder(*bench::find_op("ping"), {"tcp0", "tcpD", "real"},
                                  {.null = null->get(), .real = slow->get()}, dog, waits);
  std::erase_if(cells, [](const auto& cell) { return cell.what.client != "raw"; });
  const auto outcome = bench::run(cells, options(six_cells_budget_s));
  if (!outcome.status.ok()) return outcome.status;

  const auto real = std::find_if(outcome.cells.begin(), outcome.cells.end(),
                                 [](const auto& cell) { return cell.what.rung == "real"; });
  achieved each;
  for (const auto& round : real->rounds) {
    each.push_back(static_cast<double>(round.delayed->ns) / static_cast<double>(round.delayed->requests));
  }
  if (each.empty()) return std::vector<truth>{};
  const double put_in = bench::median(each);
  const double bound = std::max(2e3, 0.02 * put_in);
  const auto words = fmt::format("{:.2f} us in the null server", put_in / 1e3);
  const auto pairs = bench::compare(outcome.cells, delta);
  const auto noise = noise_of(outcome.cells, pairs);
  const auto pair = answer_to(bench::question::server, pairs);
  std::optional<bench::estimate> server;
  for (const auto& made : bench::attribute(outcome.cells, pairs, {.seed = how_.seed})) {
    if (made.calibrated) server = made.calibrated->server_ns;
  }
  return std::vector{
      in_microseconds("server time, by difference", words, put_in, difference_in(pair), noise, bound),
      in_microseconds("server time, by calibration", words, put_in, server, noise, bound)};
}

truths_or truth_tests::spin_is_driver_overhead() {
  auto null = start_null(wire::protocol::mongo, how_.cpu);
  if (!null.ok()) return null.status();
  wire::watchdog dog{patience};
  auto cells = raw_cells(**null, dog);
  achieved each;
  auto& last = cells.back();
  last.what.id = "ping/driver/raw+5us";
  last.what.rung = "driver";
  last.open = [open = last.open, &each]() -> opened {
    auto work = open();
    if (!work.ok()) return work;
    return std::make_unique<spinning>(*std::move(work), each);
  };
  const auto outcome = bench::run(cells, options(budget_s));
  if (!outcome.status.ok()) return outcome.status;
  const double put_in = bench::median(each);
  const auto pairs = bench::compare(outcome.cells, delta);
  const auto pair = answer_to(bench::question::overhead, pairs);
  return std::vector{in_microseconds("a spin is driver overhead",
                                     fmt::format("{:.2f} us in the driver", put_in / 1e3), put_in,
                                     difference_in(pair), noise_of(outcome.cells, pairs), 200)};
}

truths_or truth_tests::raw_has_no_overhead() {
  auto null = start_null(wire::protocol::mongo, how_.cpu);
  if (!null.ok()) return null.status();
  wire::watchdog dog{patience};
  auto cells = raw_cells(**null, dog);
  cells.back().what.id = "ping/driver/raw";
  cells.back().what.rung = "driver";
  const auto outcome = bench::run(cells, options(budget_s));
  if (!outcome.status.ok()) return outcome.status;

  truth made{.what = "raw has no overhead over raw",
             .put_in = "nothing",
             .found = "too few rows",
             .bound = "not slower, not faster"};
  const auto pair = answer_to(bench::question::overhead, bench::compare(outcome.cells, delta));
  if (!pair.lo) return std::vector{made};
  made.found = fmt::format("{:.4f} [{:.4f}, {:.4f}], {} rows: {}", *pair.ratio, *pair.lo, *pair.hi, pair.rows,
                           name(pair.says));
  made.says = judge_nothing(pair.says);
  return std::vector{made};
}

truths_or truth_tests::frozen_peer_is_named() {
  auto null = start_null(wire::protocol::mongo, how_.cpu);
  if (!null.ok()) return null.status();
  wire::watchdog dog{patience};
  auto cells = bench::plan_ladder(*bench::find_op("ping"), {"tcp0"}, {.null = null->get()}, dog);
  freezer freezing(*(*null)->pid());
  auto how = options(freeze_budget_s);
  how.on_progress = [&, shown = how.on_progress](const bench::run_progress& now) {
    freezing.after_row(now);
    shown(now);
  };
  const auto outcome = bench::run(cells, how);
  if (!outcome.status.ok()) return outcome.status;

  truth made{.what = "a frozen peer is named",
             .put_in = fmt::format("stopped for {:.2f} s of {:.0f} s",
                                   std::chrono::duration<double>(freezer::time).count(), freeze_budget_s),
             .found = "nothing",
             .bound = "a warning",
             .says = finding::wrong};
  const auto named = std::find_if(outcome.warnings.begin(), outcome.warnings.end(),
                                  [](const auto& doubt) { return doubt.code == "W-FROZEN"; });
  if (named == outcome.warnings.end()) return std::vector{made};
  made.found = fmt::format("{} {}", named->code, named->number);
  made.says = finding::right;
  return std::vector{made};
}

const char* name(finding says) {
  switch (says) {
    case finding::right:
      return "right";
    case finding::unsure:
      return "unsure";
    case finding::wrong:
      break;
  }
  return "WRONG";
}

}  // namespace

finding judge(double put_in, const found_figure& found, double bound) {
  if (std::abs(found.value - put_in) <= bound) return finding::right;
  const double within = bound + found.noise;
  return found.lo <= put_in + within && found.hi >= put_in - within ? finding::unsure : finding::wrong;
}

finding judge_nothing(bench::verdict says) {
  switch (says) {
    case bench::verdict::equivalent:
      return finding::right;
    case bench::verdict::faster:
    case bench::verdict::slower:
      return finding::wrong;
    default:
      return finding::unsure;
  }
}

absl::StatusOr<std::vector<truth>> run_truth_tests(const self_comparison& how) {
  constexpr truths_or (truth_tests::*all[])() = {
      &truth_tests::service_time_is_server_time, &truth_tests::spin_is_driver_overhead,
      &truth_tests::raw_has_no_overhead, &truth_tests::frozen_peer_is_named};
  std::vector<truth> made;
  for (std::size_t i = 0; i < std::size(all); ++i) {
    auto one = how;
    one.on_progress = [&, i](double share) {
      how.on_progress((static_cast<double>(i) + share) / static_cast<double>(std::size(all)));
    };
    auto found = (truth_tests(one).*all[i])();
    if (how.stop->load()) break;
    if (!found.ok()) return found.status();
    made.insert(made.end(), found->begin(), found->end());
  }
  return made;
}

std::string table(const std::vector<truth>& truths) {
  constexpr auto line = "{:<29} {:<7} {:<28} {:<22} {}\n";
  auto text = fmt::format(line, "truth", "", "put in", "bound", "found");
  for (const auto& one : truths)
    text += fmt::format(line, one.what, name(one.says), one.put_in, one.bound, one.found);
  return text;
}

finding worst(const std::vector<truth>& truths) {
  auto so_far = finding::right;
  for (const auto& one : truths) so_far = std::max(so_far, one.says);
  return so_far;
}

}  // namespace tools
