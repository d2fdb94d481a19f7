#include "bench/attribution.hpp"

#include "bench/compare.hpp"
#include "bench/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace bench {
namespace {

/// The cells that one attribution rests on; null where the ladder has none.
struct evidence_cells {
  const cell* target = nullptr;
  const cell* zero = nullptr;
  std::vector<const cell*> points;
  const cell* timed = nullptr;  ///< what the stamped cells are without their stamps
  const cell* stamped = nullptr;
  const cell* stamped_cpu = nullptr;
  const cell* told = nullptr;
  bool known = false;  ///< the target is the null server, whose own stamps are the truth
};

const cell* find(const std::vector<cell>& cells, std::string_view rung, std::string_view stamps = {}) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const cell& one) {
    return one.what.rung == rung && one.what.client == "raw" && one.what.stamps == stamps;
  });
  return found == cells.end() || found->rounds.empty() ? nullptr : &*found;
}

/// The rounds of a cell in one row group, by row.
using rounds_by_row = std::map<std::uint64_t, const round*>;

rounds_by_row rounds_of(const cell& one, std::uint64_t group) {
  rounds_by_row found;
  for (const auto& timed : one.rounds) {
    if (timed.group == group && timed.elapsed_ns > 0) found[timed.row] = &timed;
  }
  return found;
}

rounds_by_row rounds_of(const cell& one) {
  return rounds_of(one, one.group);
}

/// The rounds of an anchor beside those of another cell, where it stands there; else those of its own group.
rounds_by_row rounds_beside(const cell& anchor, const cell& other) {
  auto near = rounds_of(anchor, other.group);
  return near.empty() ? rounds_of(anchor) : near;
}

const round* at(const rounds_by_row& rounds, std::uint64_t row) {
  const auto found = rounds.find(row);
  return found == rounds.end() ? nullptr : found->second;
}

double per_op(const round& timed, double total) {
  return total / static_cast<double>(timed.ops);
}

double op_ns(const round& timed) {
  return per_op(timed, static_cast<double>(timed.elapsed_ns));
}

/// Per round trip, as the null server's own stamps have it.
double achieved_ns(const round& timed) {
  const auto& [requests, ns] = *timed.delayed;
  return requests == 0 ? 0 : static_cast<double>(ns) / static_cast<double>(requests);
}

/// One value per round: over connection sets where they are enough, since connections differ in themselves, else over rows.
class sample {
 public:
  void add(const round& timed, double value) {
    values_.push_back(value);
    sets_.push_back(timed.connection_set);
  }

  std::optional<estimate> estimated() const {
    const auto by_set = set_medians(values_, sets_);
    return estimate_median(by_set.size() >= rows_needed() ? by_set : values_);
  }

 private:
  std::vector<double> values_;
  std::vector<std::uint64_t> sets_;
};

template <typename Value>
std::optional<estimate> estimate_rounds(const cell& of, Value value) {
  sample values;
  for (const auto& [row, timed] : rounds_of(of)) values.add(*timed, value(*timed));
  return values.estimated();
}

calibration_rows calibration_rows_of(const evidence_cells& from) {
  const auto zero = rounds_beside(*from.zero, *from.target);
  std::vector<rounds_by_row> points;
  for (const auto* point : from.points) points.push_back(rounds_of(*point));

  calibration_rows rows;
  rows.points.resize(points.size());
  for (const auto& [row, timed] : rounds_of(*from.target)) {
    const auto* instant = at(zero, row);
    const bool whole = std::all_of(points.begin(), points.end(),
                                   [&, row = row](const auto& point) { return at(point, row); });
    if (instant == nullptr || !whole) continue;
    rows.real_ns.push_back(op_ns(*timed));
    rows.zero_ns.push_back(op_ns(*instant));
    for (std::size_t i = 0; i < points.size(); ++i) {
      rows.points[i].time_ns.push_back(op_ns(*at(points[i], row)));
      rows.points[i].achieved_ns.push_back(achieved_ns(*at(points[i], row)));
    }
  }
  return rows;
}

/// Stages per op of one round, each less one reading of the clock per stamp.
stage_figures stages_of(const round& timed, double reading_ns) {
  stage_figures ns{};
  for (std::size_t i = 0; i < ns.size(); ++i) {
    const auto& told = *timed.stages;
    ns[i] =
        per_op(timed, static_cast<double>(told.ns[i]) - reading_ns * static_cast<double>(told.intervals[i]));
  }
  return ns;
}

double sum_of(const stage_figures& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

/// Medians over rounds, none below 0.
stage_figures stages_of(const cell& stamped, double reading_ns) {
  std::array<std::vector<double>, all_stages.size()> values;
  for (const auto& [row, timed] : rounds_of(stamped)) {
    const auto parts = stages_of(*timed, reading_ns);
    for (std::size_t i = 0; i < parts.size(); ++i) values[i].push_back(parts[i]);
  }
  stage_figures medians{};
  for (std::size_t i = 0; i < medians.size(); ++i) medians[i] = std::max(0.0, median(values[i]));
  return medians;
}

/// Makes one attribution.
class attributing {
 public:
  attributing(const evidence_cells& from, const attribution_facts& facts) : from_(from), facts_(facts) {
    made_.op = from.target->what.op;
    made_.cell = from.target->what.id;
  }

  attribution made(std::optional<double> aa_floor) {
    made_.total_ns = estimate_rounds(*from_.target, op_ns);
    made_.calibrated = calibrate(calibration_rows_of(from_), facts_.seed);
    find_lower_bound();
    find_upper_bound();
    find_stages();
    name_biases();
    judge(aa_floor);
    return std::move(made_);
  }

 private:
  void find_lower_bound();
  void find_upper_bound();
  void find_stages();
  void name_biases();
  void judge(std::optional<double> aa_floor);

  const evidence_cells& from_;
  const attribution_facts& facts_;
  attribution made_;
};

void attributing::find_lower_bound() {
  made_.told_by = facts_.told_by;
  if (from_.target->rounds.front().delayed) {
    made_.told_by = "the null server's own stamps";
    made_.server_lo_ns = estimate_rounds(*from_.target, [](const round& timed) {
      return per_op(timed, static_cast<double>(timed.delayed->ns));
    });
    return;
  }
  if (from_.told == nullptr) return;
  const auto told = rounds_of(*from_.told);
  if (std::any_of(told.begin(), told.end(), [](const auto& of) { return !of.second->server_told_ns; })) {
    made_.told_by = "other clients' ops are among the server's counters";
    return;
  }
  made_.server_lo_ns = estimate_rounds(*from_.told, [this](const round& timed) {
    return per_op(timed, static_cast<double>(*timed.server_told_ns)) - facts_.told_resolution_ns;
  });
}

void attributing::find_upper_bound() {
  if (from_.known) {
    made_.server_hi_ns = made_.server_lo_ns;
  } else if (from_.stamped != nullptr) {
    made_.server_hi_ns = estimate_rounds(*from_.stamped, [this](const round& timed) {
      return per_op(timed, static_cast<double>(timed.stages->window_ns)) + facts_.reading_uncertainty_ns;
    });
  }
}

/// The residual's interval is as much wider as readings of the clock may take longer than they usually do.
void attributing::find_stages() {
  made_.client_cpu_ns = from_.timed->per_op.client_cpu_ns;
  if (from_.stamped_cpu != nullptr)
    made_.stages_cpu_ns = stages_of(*from_.stamped_cpu, facts_.cpu_reading_cost_ns);
  if (from_.stamped == nullptr) return;
  made_.stages_ns = stages_of(*from_.stamped, facts_.reading_cost_ns);
  const auto bare = rounds_beside(*from_.timed, *from_.stamped);
  sample residual;
  for (const auto& [row, stamped] : rounds_of(*from_.stamped)) {
    if (const auto* timed = at(bare, row))
      residual.add(*timed, op_ns(*timed) - sum_of(stages_of(*stamped, facts_.reading_cost_ns)));
  }
  made_.residual_ns = residual.estimated();
  if (!made_.residual_ns || !made_.residual_ns->range) return;
  const double clock_ns = facts_.reading_uncertainty_ns * static_cast<double>(all_stages.size());
  made_.residual_ns->range->lo -= clock_ns;
  made_.residual_ns->range->hi += clock_ns;
}

/// Those of the measurement method, part 11, that apply.
void attributing::name_biases() {
  auto& biases = made_.biases;
  const auto& peer = from_.target->what.peer;
  if (from_.target->what.placement == "same-cpu")
    biases.emplace_back("same cpu: the peer may run before send returns, so send may hold part of its work");
  biases.emplace_back("loopback: send also runs the receiver's TCP input");
  const auto &canned = from_.zero->per_op.bytes_in, &real = from_.target->per_op.bytes_in;
  if (canned && real && *canned != *real) {
    biases.push_back(fmt::format("null server: its replies have {} bytes per op, those of {} {}",
                                 count(canned), peer, count(real)));
  }
  const auto in_parts = [](const round& timed) { return timed.stages->intervals_of(stage::recv) > 0; };
  if (from_.stamped != nullptr &&
      std::any_of(from_.stamped->rounds.begin(), from_.stamped->rounds.end(), in_parts)) {
    biases.emplace_back("streaming: replies come in parts, so decoding overlaps the server's sending");
  }
}

void attributing::judge(std::optional<double> aa_floor) {
  const double total_ns = made_.total_ns ? made_.total_ns->value : 0;
  made_.judged = close_attribution(
      {.total_ns = total_ns,
       .aa_ns = total_ns * std::expm1(aa_floor.value_or(0)),
       .calibrated = made_.calibrated,
       .server_lo_ns = made_.server_lo_ns,
       .server_hi_ns = made_.server_hi_ns,
       .residual_ns = made_.residual_ns,
       .thread_cpu_ns = made_.client_cpu_ns,
       .stages_cpu_ns = made_.stages_cpu_ns ? std::optional(sum_of(*made_.stages_cpu_ns)) : std::nullopt});
  const auto& where = from_.target->what.placement;
  if (where == from_.zero->what.placement) return;
  made_.judged.closed = false;
  made_.judged.reasons.push_back(fmt::format("{} is {}, the null server is {}: wake-ups stand between them",
                                             from_.target->what.peer, where, from_.zero->what.placement));
}

/// Raw cells on rung tcpD, by the time that the server takes.
std::vector<const cell*> waiting_cells(const std::vector<cell>& cells) {
  std::vector<const cell*> found;
  for (const auto& one : cells) {
    if (one.what.rung == "tcpD" && one.what.client == "raw" && !one.rounds.empty()) found.push_back(&one);
  }
  std::sort(found.begin(), found.end(),
            [](const cell* a, const cell* b) { return a->what.service_ns < b->what.service_ns; });
  return found;
}

std::vector<evidence_cells> evidence_of(const std::vector<cell>& cells) {
  const auto waiting = waiting_cells(cells);
  const cell* zero = find(cells, "tcp0");
  if (waiting.empty() || zero == nullptr) return {};
  if (const cell* real = find(cells, "real")) {
    return {{.target = real,
             .zero = zero,
             .points = waiting,
             .timed = real,
             .stamped = find(cells, "reals", "wall"),
             .stamped_cpu = find(cells, "reals", "thread"),
             .told = find(cells, "realt")}};
  }
  std::vector<evidence_cells> all;  // not the shortest: below it is D = 0, where nobody waits
  for (std::size_t i = 1; i + 1 < waiting.size(); ++i) {
    all.push_back({.target = waiting[i],
                   .zero = zero,
                   .points = waiting,
                   .timed = zero,
                   .stamped = find(cells, "tcp0s", "wall"),
                   .stamped_cpu = find(cells, "tcp0s", "thread"),
                   .known = true});
    auto& points = all.back().points;
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return all;
}

/// A stage shorter than so many readings may be the clock's own cost (measurement method, part 2).
constexpr double least_readings = 20;

/// "encode 0.21 us, decode 0.30 us"; a stage without a stamp is none.
std::string short_stages(const attribution& made, double reading_ns) {
  std::string found;
  for (const auto one : all_stages) {
    const double ns = (*made.stages_ns)[static_cast<std::size_t>(one)];
    const bool one_read_brings_all = one == stage::recv && ns <= 0;
    if (one_read_brings_all || ns >= least_readings * reading_ns) continue;
    found += fmt::format("{}{} {} us", found.empty() ? "" : ", ", name(one), number(ns / 1e3));
  }
  return found;
}

void look_for_short_stages(const attribution& made, const attribution_facts& facts,
                           std::vector<warning>& doubts) {
  if (!made.stages_ns) return;
  const auto found = short_stages(made, facts.reading_cost_ns);
  if (found.empty()) return;
  doubts.push_back(
      {"W-STAGE", fmt::format("{}: {}", made.cell, found),
       fmt::format("shorter than {:.0f} readings of the clock of {:.0f} ns each, so that much of "
                   "it may be the clock's",
                   least_readings, facts.reading_cost_ns),
       "believe the sum of the stages before such a stage", made.op});
}

/// How much of its time a server is on the cpu tells whether it works or waits.
void look_for_delay_mode(const attribution& made, const std::vector<cell>& cells,
                         const attribution_facts& facts, std::vector<warning>& doubts) {
  const cell* target = find_cell(cells, made.cell);
  const cell* zero = find(cells, "tcp0");
  if (!made.calibrated || !made.calibrated->server_ns || made.calibrated->server_ns->value <= 0) return;
  const auto &with = target->per_op.server_cpu_ns, &without = zero->per_op.server_cpu_ns;
  if (!with || !without) return;
  const double busy = (*with - *without) / made.calibrated->server_ns->value;
  const bool spins = facts.mode == delay_mode::spin;
  if (spins == (busy >= 0.5)) return;
  doubts.push_back({"W-DELAY",
                    fmt::format("{}: the server is on the cpu for {:.0f} % of its time", made.cell,
                                100 * std::max(busy, 0.0)),
                    fmt::format("the null server {}, so that waiting for it may cost the client otherwise",
                                spins ? "spins" : "sleeps"),
                    "let the null server pass its time as the server does", made.op,
                    spins ? "--delay-mode sleep" : "--delay-mode spin"});
}

}  // namespace

std::vector<attribution> attribute(const std::vector<cell>& cells, const std::vector<comparison>& compared,
                                   const attribution_facts& facts) {
  std::vector<attribution> all;
  for (const auto& from : evidence_of(cells))
    all.push_back(attributing(from, facts).made(aa_floor(compared)));
  return all;
}

std::vector<warning> doubts_of(const attribution& made, const std::vector<cell>& cells,
                               const attribution_facts& facts) {
  std::vector<warning> doubts;
  look_for_short_stages(made, facts, doubts);
  look_for_delay_mode(made, cells, facts, doubts);
  return doubts;
}

std::string verdict_of(const closure& judged) {
  if (judged.closed) return "attribution closed";
  if (!judged.unexplained_ns) return "attribution NOT closed: nothing could be attributed";
  return fmt::format("attribution NOT closed: {} us ({:.1f} %) unexplained",
                     number(*judged.unexplained_ns / 1e3), 100 * judged.unexplained_share.value_or(0));
}

}  // namespace bench
