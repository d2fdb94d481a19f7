#include "bench/runner.hpp"

#include "bench/compare.hpp"
#include "bench/findings.hpp"
#include "bench/live_cell.hpp"
#include "bench/noise.hpp"
#include "bench/placement.hpp"
#include "bench/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

/// Looks in a row at which the precision must hold, so that one lucky look does not end the run.
constexpr int looks_to_hold = 3;

/// Rows that a number of ops is to make, if it is no smaller: an interval needs some.
constexpr std::uint64_t rows_of_max_ops = 20;

/// Rows between two looks: whole blocks, and about one connection set.
std::uint64_t rows_per_look(std::uint64_t block) {
  return block * ((rows_per_connection_set + block - 1) / block);
}

void note(const noise_reading& meanwhile, round& timed) {
  timed.steal_ticks = meanwhile.steal_ticks;
  timed.pressure_us = meanwhile.pressure_us;
  timed.migrations = meanwhile.migrations;
}

class op_run {
 public:
  op_run(const std::vector<cell_plan>& plans, const run_options& options);

  /// Opens, warms up, groups, then runs rows until a rule ends them.
  absl::Status whole();

  run_outcome outcome(absl::Status status);

 private:
  absl::Status open_and_warm_up();
  std::vector<double> grouping_times() const;
  void lay_out_groups();
  absl::Status reconnect();
  absl::Status rows();
  absl::StatusOr<bool> one_row();
  void keep(const std::vector<std::pair<std::size_t, round>>& timed);
  bool ended();
  void look();

  std::uint64_t ops() const { return groups_.empty() ? 0 : plan_.rows * groups_.front().ops; }
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }
  double elapsed_s() const { return static_cast<double>(options_.now() - began_) / 1e9; }
  bool at_block_end() const { return plan_.rows % block_ == 0; }

  const std::vector<cell_plan>& plans_;
  const run_options& options_;
  std::int64_t began_;
  std::vector<live_cell> live_;
  std::vector<cell> cells_;
  std::vector<speed_group> groups_;
  std::uint64_t block_ = 1;
  double rows_began_s_ = 0;
  std::optional<noise_sensors> sensors_;  // of the thread that runs the rows
  std::optional<double> half_width_;
  int looks_held_ = 0;
  op_plan plan_;
};

op_run::op_run(const std::vector<cell_plan>& plans, const run_options& options)
    : plans_(plans), options_(options), began_(options.now()) {
  for (const auto& planned : plans) {
    live_.emplace_back(planned, options.cpu, options.now);
    cells_.push_back({.what = planned.what});
  }
  plan_.op = plans.front().what.op;
  plan_.budget_s = options.budget_s;
}

absl::Status op_run::whole() {
  const double warm_up_s = static_cast<double>(live_.size()) * warm_up_ns / 1e9;
  if (options_.budget_s <= warm_up_s) {
    return absl::InvalidArgumentError(
        fmt::format("a budget of {:.3g} s is shorter than the warm-up of {} cells, {:.1f} s; "
                    "raise --budget",
                    options_.budget_s, live_.size(), warm_up_s));
  }
  const auto pinned = pinned_thread::to(options_.cpu);
  if (!pinned.ok()) return pinned.status();
  if (auto status = open_and_warm_up(); !status.ok()) return status;
  if (stopped()) {
    plan_.reason = ended_by::stop;
    return absl::OkStatus();
  }
  lay_out_groups();
  return rows();
}

absl::Status op_run::open_and_warm_up() {
  for (auto& one : live_) {
    if (stopped()) break;
    if (auto status = one.open(); !status.ok()) return status;
    if (auto status = one.warm_up(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

/// Time per op by which each cell is grouped: its own, or that of the slowest of those that it is to stay with.
std::vector<double> op_run::grouping_times() const {
  std::vector<double> op_ns;
  for (std::size_t i = 0; i < live_.size(); ++i) {
    op_ns.push_back(live_[i].op_ns());
    if (plans_[i].group_with.empty()) continue;
    for (std::size_t other = 0; other < live_.size(); ++other) {
      if (plans_[other].group_with == plans_[i].group_with)
        op_ns[i] = std::max(op_ns[i], live_[other].op_ns());
    }
  }
  return op_ns;
}

void op_run::lay_out_groups() {
  const auto op_ns = grouping_times();
  const auto raw = std::find_if(cells_.begin(), cells_.end(), [](const cell& one) {
    return one.what.rung == "tcp0" && one.what.client == "raw";
  });
  const auto anchor = raw == cells_.end() ? 0 : static_cast<std::size_t>(raw - cells_.begin());
  groups_ = group_by_speed(op_ns, anchor);
  for (auto& group : groups_) {
    if (options_.max_ops)
      group.ops = std::clamp<std::uint64_t>(*options_.max_ops / rows_of_max_ops, 1, group.ops);
  }
  block_ = block_rows(groups_);

  for (std::size_t g = 0; g < groups_.size(); ++g) {
    plan_.groups.push_back({.cells = {}, .ops_per_round = groups_[g].ops});
    for (const auto index : groups_[g].cells) {
      if (g == 0 || index != anchor) cells_[index].group = g;
      plan_.groups[g].cells.push_back(cells_[index].what.id);
    }
  }
}

absl::Status op_run::reconnect() {
  for (auto& one : live_) {
    if (auto status = one.open(); !status.ok()) return status;
    if (auto status = one.warm_connection(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status op_run::rows() {
  rows_began_s_ = elapsed_s();
  sensors_.emplace(options_.cpu);
  while (!ended()) {
    if (plan_.rows > 0 && plan_.rows % rows_per_connection_set == 0) {
      if (auto status = reconnect(); !status.ok()) return status;
    }
    const auto whole = one_row();
    if (!whole.ok()) return whole.status();
    if (*whole && options_.on_progress) {
      options_.on_progress({elapsed_s(), options_.budget_s, plan_.rows, half_width_, ops()});
    }
  }
  return absl::OkStatus();
}

/// False when the stop flag was seen half-way; the row is then dropped, since its pairs are not complete.
absl::StatusOr<bool> op_run::one_row() {
  std::vector<std::pair<std::size_t, round>> timed;
  auto before = sensors_->read();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const auto& members = groups_[g].cells;
    const auto order = latin_row(members.size(), plan_.rows, options_.seed + g);
    for (std::size_t position = 0; position < order.size(); ++position) {
      if (stopped()) return false;
      const auto index = members[order[position]];
      auto measured = live_[index].time_round(groups_[g].ops);
      if (!measured.ok()) return measured.status();
      measured->row = plan_.rows;
      measured->position = position;
      measured->group = g;
      measured->connection_set = plan_.rows / rows_per_connection_set;
      const auto after = sensors_->read();
      note(after - before, *measured);
      before = after;
      timed.emplace_back(index, *std::move(measured));
    }
  }
  keep(timed);
  return true;
}

void op_run::keep(const std::vector<std::pair<std::size_t, round>>& timed) {
  for (const auto& [index, measured] : timed) cells_[index].rounds.push_back(measured);
  ++plan_.rows;
}

/// Decides before each row whether another one follows, at the ends of blocks where time allows.
bool op_run::ended() {
  if (stopped()) {
    plan_.reason = ended_by::stop;
    return true;
  }
  if (options_.precision && plan_.rows > 0 && plan_.rows % rows_per_look(block_) == 0) look();
  const bool all_ops = options_.max_ops && ops() >= *options_.max_ops && at_block_end();
  if (all_ops || (options_.max_rows && plan_.rows >= *options_.max_rows)) {
    plan_.reason = ended_by::rows;
    return true;
  }
  if (looks_held_ >= looks_to_hold) {
    plan_.reason = ended_by::precision;
    return true;
  }
  double next_s = 0;  // that must still fit
  if (plan_.rows > 0 && at_block_end()) {
    next_s = (elapsed_s() - rows_began_s_) / static_cast<double>(plan_.rows) * static_cast<double>(block_);
  }
  return elapsed_s() + next_s > options_.budget_s;
}

void op_run::look() {
  half_width_ = widest_overhead(compare(cells_, 0));
  const bool holds = options_.precision && half_width_ && *half_width_ <= *options_.precision;
  looks_held_ = holds ? looks_held_ + 1 : 0;
}

run_outcome op_run::outcome(absl::Status status) {
  plan_.elapsed_s = elapsed_s();
  plan_.balanced = plan_.rows > 0 && at_block_end();
  if (status.ok() && plan_.rows == 0 && plan_.reason == ended_by::budget) {
    status = absl::DeadlineExceededError(
        fmt::format("the warm-up took the whole budget of {:.3g} s; raise --budget", options_.budget_s));
  }
  if (!status.ok()) {
    plan_.reason = ended_by::failure;
    plan_.failure = std::string(status.message());
  }
  for (auto& measured : cells_) summarize(measured);

  flag_rounds(cells_, options_.cpu);
  auto warnings = findings(cells_, plan_, options_.cpu);
  for (std::size_t i = 0; i < live_.size(); ++i) {
    if (live_[i].placed().ok()) continue;
    cells_[i].what.placement = name(placement::unpinned);
    warnings.push_back({"W-PLACEMENT", cells_[i].what.id, std::string(live_[i].placed().message()),
                        "its times contain wake-ups of another cpu: compare them with each other alone",
                        plan_.op});
  }
  return {std::move(status), std::move(cells_), std::move(plan_), std::move(warnings)};
}

}  // namespace

run_outcome run(const std::vector<cell_plan>& cells, const run_options& options) {
  op_run measured(cells, options);
  auto status = measured.whole();
  return measured.outcome(std::move(status));
}

}  // namespace bench
