#include "bench/attribution.hpp"

#include "bench/attribution_evidence.hpp"
#include "bench/compare.hpp"
#include "bench/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bench {
namespace {

template <typename Value>
std::optional<estimate> estimate_rounds(const cell& of, Value value) {
  round_sample values;
  for (const auto& [row, timed] : rounds_of(of)) values.add(*timed, value(*timed));
  return values.estimated();
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
  attributing(const attribution_evidence& from, const attribution_facts& facts) : from_(from), facts_(facts) {
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
  std::string thread_clock_bias() const;
  void judge(std::optional<double> aa_floor);

  const attribution_evidence& from_;
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
  made_.client_cpu_ns = from_.target->per_op.client_cpu_ns;
  if (from_.stamped_cpu != nullptr)
    made_.stages_cpu_ns = stages_of(*from_.stamped_cpu, facts_.cpu_reading_cost_ns);
  if (from_.stamped == nullptr) return;
  made_.stages_ns = stages_of(*from_.stamped, facts_.reading_cost_ns);
  const auto bare = rounds_beside(*from_.target, *from_.stamped);
  round_sample residual;
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

/// What the thread's clock takes off the stages, and what it adds to the op. They differ: asking for the system's accounts
/// shifts them. Empty where the op's own CPU time is not known.
std::string attributing::thread_clock_bias() const {
  const auto &with = from_.stamped_cpu->per_op.client_cpu_ns, &without = from_.target->per_op.client_cpu_ns;
  if (!with || !without) return {};
  const auto readings = estimate_rounds(*from_.stamped_cpu, [](const round& timed) {
    const auto& each = timed.stages->intervals;
    return per_op(timed, static_cast<double>(std::accumulate(each.begin(), each.end(), std::uint64_t{0})));
  });
  return fmt::format(
      "thread clock: {:.1f} readings of {} us per op are taken off its stages, and add {} us to the op's CPU "
      "time",
      readings->value, number(facts_.cpu_reading_cost_ns / 1e3), number((*with - *without) / 1e3));
}

/// Those of the measurement method, part 11, that apply, and what part 10 says of connections.
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
  if (from_.stamped_cpu != nullptr) {
    if (auto bias = thread_clock_bias(); !bias.empty()) biases.push_back(std::move(bias));
  }
  if (const auto sets = connection_sets(*from_.target); sets < rows_needed()) {
    biases.push_back(fmt::format(
        "connections: {} set{} of them, {} are needed for intervals over sets; those over rows may be too "
        "narrow",
        sets, sets == 1 ? "" : "s", rows_needed()));
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
  const cell* zero = find_raw(cells, "tcp0");
  if (!made.calibrated || !made.calibrated->server_ns) return;
  const auto& server = *made.calibrated->server_ns;
  if (!server.range || server.range->lo <= 0) return;  // it takes no time that could be told from none
  const auto &with = target->per_op.server_cpu_ns, &without = zero->per_op.server_cpu_ns;
  if (!with || !without) return;
  const double busy = (*with - *without) / server.value;
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
