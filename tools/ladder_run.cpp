#include "tools/ladder_run.hpp"

#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libpq.hpp"
#include "bench/environment.hpp"
#include "bench/pilot.hpp"
#include "bench/report_console.hpp"
#include "bench/server_time.hpp"

#include "tools/counting.hpp"
#include "tools/exit_code.hpp"
#include "tools/ladder_peers.hpp"
#include "tools/ladder_processes.hpp"
#include "tools/ladder_result.hpp"
#include "tools/progress.hpp"
#include "tools/stop_flag.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "absl/status/statusor.h"

namespace tools {
namespace {

class ladder_run {
 public:
  explicit ladder_run(const ladder_options& options) : options_(options), bar_(options.output.quiet) {}

  int whole();

 private:
  void choose_ops();
  absl::Status measure_here();
  void begin_result();
  absl::Status measure(const bench::op& what, std::size_t number);
  bench::run_options options_for(const bench::op& what, std::size_t number);
  absl::Status measure_cells(const bench::op& what, bench::run_options options);
  absl::StatusOr<double> find_service_times(const bench::op& what, const bench::run_options& options,
                                            bench::waiting_times& waits);
  bench::attribution_facts facts_about(const bench::op& what);
  std::vector<std::string> rungs_for(const bench::op& what, bool told) const;
  void count();
  absl::Status finish();

  const ladder_options& options_;
  const std::atomic<bool>& stop_ = stop_flag();
  chosen_ops ops_;
  started_peers peers_;
  std::optional<wire::watchdog> dog_;
  progress_bar bar_;
  bench::result result_;
};

int ladder_run::whole() {
  choose_ops();
  auto status = check_reals(options_, ops_);
  if (!status.ok()) return report(status);
  status = options_.processes > 1 ? measure_in_processes(options_, ops_, bar_, result_) : measure_here();
  count();
  status.Update(finish());
  return report(status, stop_, options_.strict && !is_conclusive(result_) ? inconclusive : success);
}

void ladder_run::choose_ops() {
  const auto& named = options_.ops;
  for (const auto& one : bench::op_set()) {
    if (named.empty() || std::find(named.begin(), named.end(), one.name) != named.end()) ops_.push_back(&one);
  }
}

/// Peers come first: they are forked, which must happen before there are threads.
absl::Status ladder_run::measure_here() {
  if (auto status = peers_.start(options_, ops_); !status.ok()) return status;
  dog_.emplace(options_.timeout());
  begin_result();
  for (std::size_t i = 0; i < ops_.size() && !stop_; ++i) {
    if (auto status = measure(*ops_[i], i); !status.ok()) return status;
  }
  return absl::OkStatus();
}

void ladder_run::begin_result() {
  result_.context = bench::read_environment(
      {{"libmongoc", bench::drivers::libmongoc_version()}, {"libpq", bench::drivers::libpq_version()}},
      options_.command_line);
  for (auto& line : peers_.described(options_)) result_.context.push_back(std::move(line));
  result_.clock = bench::calibrate_clock();
  result_.warnings = bench::doubts(result_.context, result_.clock);
  result_.plan.seed = options_.seed;
  result_.plan.cpu = options_.cpu;
  result_.plan.delta = options_.delta;
}

absl::Status ladder_run::measure(const bench::op& what, std::size_t number) {
  const auto* real = peers_.of(what).real;
  const bool only_real =
      !options_.rungs.empty() && std::all_of(options_.rungs.begin(), options_.rungs.end(), bench::needs_real);
  if (only_real && real == nullptr) return absl::OkStatus();  // this protocol has no real server
  if (real != nullptr) {
    if (auto status = bench::set_up_server(what, *real, *dog_); !status.ok()) return status;
  }
  auto status = measure_cells(what, options_for(what, number));
  if (real != nullptr) status.Update(bench::clean_up_server(what, *real, *dog_));
  return status;
}

bench::run_options ladder_run::options_for(const bench::op& what, std::size_t number) {
  const auto show = [this, &what, number](const bench::run_progress& now) {
    const double share =
        (static_cast<double>(number) + now.elapsed_s / now.budget_s) / static_cast<double>(ops_.size());
    const auto width = now.half_width ? fmt::format(", +-{:.2f} %", *now.half_width * 100) : std::string();
    bar_.show(share, fmt::format("{}, {} rows{}", what.name, now.rows, width));
  };
  return {.budget_s = options_.budget_s,
          .precision = options_.precision > 0 ? std::optional(options_.precision) : std::nullopt,
          .seed = options_.seed,
          .cpu = options_.cpu,
          .stop = &stop_,
          .on_progress = show};
}

absl::Status ladder_run::measure_cells(const bench::op& what, bench::run_options options) {
  bench::waiting_times waits{.always = options_.service_times, .near_target = {}, .mode = options_.mode()};
  const auto spent_s = find_service_times(what, options, waits);
  if (!spent_s.ok()) return spent_s.status();
  options.budget_s -= *spent_s;
  auto facts = facts_about(what);
  const auto cells = bench::plan_ladder(what, rungs_for(what, facts.told), peers_.of(what), *dog_, waits);
  auto outcome = bench::run(cells, options);
  auto status = outcome.status;
  facts.mode = waits.mode;
  append_op(result_, std::move(outcome), facts);
  return status;
}

/// A pilot on the way to server time, if that is wanted; returns what it took of the budget.
absl::StatusOr<double> ladder_run::find_service_times(const bench::op& what,
                                                      const bench::run_options& options,
                                                      bench::waiting_times& waits) {
  const auto peers = peers_.of(what);
  if (peers.real == nullptr || !options_.wants("tcpD") || !options_.wants("real")) return 0;
  const auto began_ns = bench::now_ns();
  auto near = bench::find_near_target(what, peers, *dog_, waits, options);
  if (!near.ok()) return near.status();
  waits.near_target = *std::move(near);
  return static_cast<double>(bench::now_ns() - began_ns) / 1e9;
}

/// Asks the server whether it tells its own time.
bench::attribution_facts ladder_run::facts_about(const bench::op& what) {
  auto facts = facts_without_server(result_);
  const auto* real = peers_.of(what).real;
  if (real == nullptr || real->delayed() || !options_.wants("realt")) return facts;
  const auto timer = bench::timer_of(what.protocol);
  const auto told = bench::check_told(what, real->tcp_uri(), *dog_);
  facts.told = told.ok();
  facts.told_resolution_ns = timer.resolution_ns;
  facts.told_by =
      told.ok() ? fmt::format("{}: {}", timer.source, timer.contains) : std::string(told.message());
  return facts;
}

/// The named rungs, or the default ones; without `realt` where the server tells nothing.
std::vector<std::string> ladder_run::rungs_for(const bench::op& what, bool told) const {
  auto rungs =
      options_.rungs.empty() ? bench::default_rungs(peers_.of(what).real != nullptr) : options_.rungs;
  if (!told) std::erase(rungs, "realt");
  return rungs;
}

/// After the timed rounds, in processes of their own.
void ladder_run::count() {
  if (options_.counts.empty()) return;
  count_cells(result_.cells, {.kinds = kinds_of(options_.counts),
                              .cpu = options_.cpu,
                              .stop = &stop_,
                              .on_progress = [this](double share, const std::string& cell) {
                                bar_.show(share, "counting " + cell);
                              }});
}

absl::Status ladder_run::finish() {
  bar_.clear();
  bench::drop_given_flags(result_.warnings, options_.command_line);
  const bool measured = std::any_of(result_.plan.ops.begin(), result_.plan.ops.end(),
                                    [](const bench::op_plan& op) { return op.rows > 0; });
  if (!measured) return stop_ ? absl::OkStatus() : absl::UnavailableError("nothing was measured");
  return save_and_print(result_, "ladder", options_.output, bench::report_console);
}

}  // namespace

int run_ladder(const ladder_options& options) {
  return ladder_run(options).whole();
}

}  // namespace tools
