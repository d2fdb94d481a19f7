#include "tools/sweep_run.hpp"

#include "bench/compare.hpp"
#include "bench/findings.hpp"
#include "bench/outcome.hpp"
#include "bench/report_sweep.hpp"
#include "bench/sweep.hpp"

#include "fixtures/temp_dir.hpp"

#include "tools/exit_code.hpp"
#include "tools/peers.hpp"
#include "tools/progress.hpp"
#include "tools/stop_flag.hpp"
#include "tools/sweep_loop.hpp"
#include "tools/transfer_peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace tools {
namespace {

using bench::workloads::direction;

class sweep_run {
 public:
  explicit sweep_run(const sweep_command& options)
      : options_(options),
        peers_(options.against, options.cpu, options.timeout()),
        bar_(options.output.quiet) {}

  int whole();

 private:
  absl::Status choose();
  absl::Status check_reals() const;
  absl::Status start_peers();
  absl::Status make_payload();
  void begin_result();
  absl::Status measure();
  absl::Status measure(direction way, std::size_t number);
  void count();
  absl::Status finish();

  std::vector<bench::cell_plan> plan(direction way) {
    return bench::plan_sweep(what_, way, peers_.by_protocol(), *payload_, *dog_);
  }
  bool speaks_any(wire::protocol protocol) const {
    return std::ranges::any_of(what_.framings,
                               [protocol](const auto* how) { return how->protocol == protocol; });
  }

  const sweep_command& options_;
  bench::sweep_options what_;
  std::vector<direction> ways_;
  const std::atomic<bool>& stop_ = stop_flag();
  transfer_peers peers_;
  std::optional<fixtures::temp_dir> folder_;
  std::unique_ptr<bench::workloads::transfer_payload> payload_;
  std::optional<wire::watchdog> dog_;
  progress_bar bar_;
  bench::result result_;
};

/// Peers come first: they are forked, which must happen before there are threads, and before there is a payload to be forked along.
int sweep_run::whole() {
  auto status = choose();
  if (status.ok()) status = start_peers();
  if (status.ok()) status = make_payload();
  if (!status.ok()) return report(status);
  dog_.emplace(options_.timeout());
  if (options_.loop > 0) return report(run_sweep_loop(options_, plan(ways_.front())));
  begin_result();
  status = measure();
  status.Update(bench::clean_up_sweep(peers_.by_protocol(), *dog_));
  if (status.ok()) count();
  bar_.clear();
  status.Update(finish());
  return report(status, stop_);
}

absl::Status sweep_run::choose() {
  for (const auto way : bench::workloads::directions) {
    if (std::ranges::find(options_.directions, name(way)) != options_.directions.end()) ways_.push_back(way);
  }
  const auto goes = [this](const auto& how) {
    return std::ranges::any_of(ways_, [&how](direction way) { return how.goes(way); });
  };
  for (const auto& how : bench::workloads::framings()) {
    const bool named = std::ranges::find(options_.framings, how.name) != options_.framings.end();
    const bool unasked = options_.framings.empty() && goes(how) && !how.driver.empty();
    if (named || unasked) what_.framings.push_back(&how);
  }
  what_.strategies = options_.strategies;
  what_.chunk_bytes = options_.chunk_bytes;
  what_.file_bytes = options_.file_bytes;
  what_.window = options_.window;
  what_.batch = options_.batch;
  if (auto status = bench::check(what_, ways_); !status.ok()) return status;
  return check_reals();
}

absl::Status sweep_run::check_reals() const {
  for (const auto& server : options_.against) {
    bool spoken = false;
    for (const auto protocol : {wire::protocol::mongo, wire::protocol::pg}) {
      const auto fits = speaks(server, protocol);
      if (!fits.ok()) return fits.status();
      spoken = spoken || (*fits && speaks_any(protocol));
    }
    if (!spoken)
      return absl::InvalidArgumentError("--real names a server that none of the framings speaks to");
  }
  return absl::OkStatus();
}

absl::Status sweep_run::start_peers() {
  for (const auto protocol : {wire::protocol::mongo, wire::protocol::pg}) {
    if (!speaks_any(protocol)) continue;
    auto status = peers_.start(protocol, *fixtures::receive_strategy_named(options_.receive));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status sweep_run::make_payload() {
  const auto goes = [this](direction way) { return std::ranges::find(ways_, way) != ways_.end(); };
  if (bench::needs_files(what_, ways_)) {
    auto folder = fixtures::temp_dir::make();
    if (!folder.ok()) return folder.status();
    folder_ = *std::move(folder);
  }
  auto made = bench::workloads::transfer_payload::make(
      {.file_bytes = options_.file_bytes,
       .walked_bytes = options_.walk_bytes,
       .page_offset = options_.page_offset,
       .in_files = goes(direction::upload) && bench::needs_files(what_, {direction::upload}),
       .room = goes(direction::download)},
      folder_ ? folder_->path() : std::string());
  if (!made.ok()) return made.status();
  payload_ = *std::move(made);
  return absl::OkStatus();
}

void sweep_run::begin_result() {
  result_ = peers_.begin_result(options_.command_line, options_.seed);
  result_.context.emplace_back("null_servers", fmt::format("receive strategy {}", options_.receive));
  result_.context.emplace_back(
      "transfers",
      fmt::format(
          "payload walks through {} of resident memory{}, and begins {} bytes behind the beginning of a "
          "page; {} FunctionCalls in flight, {} GridFS chunks per message",
          bench::size_name(options_.walk_bytes),
          options_.walk_bytes < options_.file_bytes ? ", which each file repeats" : "", options_.page_offset,
          options_.window, options_.batch));
}

absl::Status sweep_run::measure() {
  for (std::size_t i = 0; i < ways_.size() && !stop_; ++i) {
    if (auto status = measure(ways_[i], i); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status sweep_run::measure(direction way, std::size_t number) {
  const auto cells = plan(way);
  if (cells.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "none of the strategies is for --direction {} of these framings: see --help for those that are",
        name(way)));
  }
  bar_.show(static_cast<double>(number) / static_cast<double>(ways_.size()),
            fmt::format("{}, warming {} cells up", name(way), cells.size()));
  const auto show = [this, way, number](const bench::run_progress& now) {
    const double share =
        (static_cast<double>(number) + now.elapsed_s / now.budget_s) / static_cast<double>(ways_.size());
    bar_.show(share, fmt::format("{}, {} rows", name(way), now.rows));
  };
  auto outcome = bench::run(
      cells, {.budget_s = options_.budget_s > 0 ? options_.budget_s
                                                : default_s_per_cell * static_cast<double>(cells.size()),
              .seed = options_.seed,
              .cpu = options_.cpu,
              .stop = &stop_,
              .on_progress = show});
  auto status = outcome.status;
  const auto compared = bench::compare_with_first(outcome.cells, result_.plan.delta);
  bench::append(result_, std::move(outcome), compared);
  return status;
}

void sweep_run::count() {
  if (options_.counts.empty()) return;
  auto& cells = result_.cells;
  for (std::size_t i = 0; i < cells.size() && !stop_; ++i) {
    const auto& what = cells[i].what;
    if (what.rung != "null" || what.id.ends_with("/again")) continue;
    bar_.show(static_cast<double>(i) / static_cast<double>(cells.size()), "counting " + what.id);
    cells[i].counts = count_in_loops(options_, what);
  }
}

absl::Status sweep_run::finish() {
  bench::drop_given_flags(result_.warnings, options_.command_line);
  const bool measured = std::ranges::any_of(result_.plan.ops, [](const auto& op) { return op.rows > 0; });
  if (!measured) return stop_ ? absl::OkStatus() : absl::UnavailableError("nothing was measured");
  result_.sweep = bench::sweep_figures_of(result_);
  return save_and_print(result_, "sweep", options_.output, bench::report_sweep);
}

}  // namespace

int run_sweep(const sweep_command& options) {
  return sweep_run(options).whole();
}

}  // namespace tools
