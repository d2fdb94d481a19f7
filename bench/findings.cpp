#include "bench/findings.hpp"

#include "bench/noise.hpp"
#include "bench/standstill.hpp"
#include "bench/statistics.hpp"
#include "bench/steadiness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace bench {
namespace {

/// Part of an op's rounds that may be over a limit before a warning says so; starting value.
constexpr double tolerated = 0.05;

/// Twice the budget that was not enough.
std::string longer(const op_plan& plan) {
  return fmt::format("--budget {:g}", 2 * plan.budget_s);
}

/// Two modes of the cell's own rounds, where there are.
void look_for_modes(const cell& measured, std::vector<warning>& found) {
  const auto split = modes_of(measured);
  if (!split) return;
  found.push_back({"W-BIMODAL",
                   fmt::format("{}: {:.0f} % of the rounds at {:.2f} us, {:.0f} % at {:.2f} us",
                               measured.what.id, 100 * (1 - split->upper_share), split->lower / 1e3,
                               100 * split->upper_share, split->upper / 1e3),
                   "the machine or the client flips between two states, and a median describes neither",
                   "look at the rounds, then measure again on a quiet cpu", measured.what.op});
}

void look_for_standstill(const cell& measured, std::vector<warning>& found) {
  const auto stood = standstill_of(measured);
  if (!stood) return;
  found.push_back(
      {"W-FROZEN",
       fmt::format(
           "{}: {} of {} rounds stood still for {:.2f} s together, a cpu was wanted for {:.2f} s of it",
           measured.what.id, stood->rounds, measured.rounds.size(), stood->ns / 1e9, stood->pressed_ns / 1e9),
       "the peer did not answer, and neither side was on the cpu; the median does not feel it",
       "see whether the server was stopped, swapped out, or waited for its disk", measured.what.op, ""});
}

/// An exact unit that is not the same in every round is a finding, not noise.
void look_for_varying(const cell& measured, const char* unit,
                      const std::function<std::optional<std::uint64_t>(const round&)>& count,
                      const char* cause, const char* remedy, std::vector<warning>& found) {
  std::optional<double> least, most;
  for (const auto& timed : measured.rounds) {
    const auto total = count(timed);
    if (!total) return;
    const double per_op = static_cast<double>(*total) / static_cast<double>(timed.ops);
    least = std::min(least.value_or(per_op), per_op);
    most = std::max(most.value_or(per_op), per_op);
  }
  if (least == most) return;
  found.push_back({"W-COUNTS",
                   fmt::format("{}: {:.2f} to {:.2f} {} per op", measured.what.id, *least, *most, unit),
                   cause, remedy, measured.what.op});
}

void look_for_unequal_work(const cell& measured, std::vector<warning>& found) {
  const auto moved = [](std::uint64_t traffic::*part) {
    return [part](const round& timed) {
      return timed.moved ? std::optional((*timed.moved).*part) : std::nullopt;
    };
  };
  const auto look = [&](const char* unit, std::uint64_t traffic::*part) {
    look_for_varying(measured, unit, moved(part), "rounds of one cell did unequal work",
                     "run a loop of this op under strace", found);
  };
  look("frames sent", &traffic::frames_out);
  look("frames received", &traffic::frames_in);
  look("bytes sent", &traffic::bytes_out);
  look("bytes received", &traffic::bytes_in);
  look_for_varying(
      measured, "system calls", [](const round& timed) { return timed.syscalls; },
      "the kernel took or delivered messages in parts",
      "compare bytes per op with the socket buffers (tcp_wmem, wmem_default)", found);
}

struct share_of_rounds {
  std::size_t flagged = 0;
  std::size_t all = 0;

  bool above(double share) const { return static_cast<double>(flagged) > share * static_cast<double>(all); }
};

share_of_rounds count(const std::vector<cell>& cells, bool round_flags::*flag) {
  share_of_rounds rounds;
  for (const auto& measured : cells) {
    for (const auto& timed : measured.rounds) rounds.flagged += timed.flags.*flag;
    rounds.all += measured.rounds.size();
  }
  return rounds;
}

/// Per cent of the time of all rounds, without warm-up and reconnects, that `lost_ns(cell, round)` went to; rounds for
/// which it is not known do not count.
template <typename Lost>
double percent_of_time(const std::vector<cell>& cells, Lost lost_ns) {
  double lost = 0, covered = 0;
  for (const auto& measured : cells) {
    for (const auto& timed : measured.rounds) {
      const std::optional<double> ns = lost_ns(measured, timed);
      if (!ns) continue;
      lost += *ns;
      covered += static_cast<double>(timed.elapsed_ns);
    }
  }
  return covered > 0 ? 100 * lost / covered : 0;
}

std::string in_rounds(const share_of_rounds& rounds) {
  return fmt::format("in {} of {} rounds", rounds.flagged, rounds.all);
}

/// Steal counts in ticks of 10 ms, so it is judged over all rounds together.
void look_for_steal(const std::vector<cell>& cells, const op_plan& plan, std::vector<warning>& found) {
  constexpr double tick_ns = 1e7;
  const auto percent = percent_of_time(cells, [](const cell&, const round& timed) -> std::optional<double> {
    if (!timed.steal_ticks) return std::nullopt;
    return static_cast<double>(*timed.steal_ticks) * tick_ns;
  });
  if (percent <= 1) return;
  found.push_back(
      {"W-STEAL",
       fmt::format("{:.1f} % of the rounds' time, {}", percent, in_rounds(count(cells, &round_flags::steal))),
       "the hypervisor took the cpu", "measure again when the host is quieter", plan.op, longer(plan)});
}

void look_for_pressure(const std::vector<cell>& cells, const op_plan& plan, std::vector<warning>& found) {
  const auto rounds = count(cells, &round_flags::pressure);
  if (!rounds.above(tolerated)) return;
  found.push_back({"W-PSI", in_rounds(rounds), "tasks of this machine waited for a cpu",
                   "stop the other programs", plan.op, "--cpu N"});
}

void look_for_taken_time(const std::vector<cell>& cells, const op_plan& plan, std::vector<warning>& found) {
  const auto rounds = count(cells, &round_flags::taken);
  if (!rounds.above(tolerated)) return;
  const auto percent =
      percent_of_time(cells, [](const cell& measured, const round& timed) -> std::optional<double> {
        const auto share = taken_share(measured, timed);
        return share ? std::optional(*share * static_cast<double>(timed.elapsed_ns)) : std::nullopt;
      });
  found.push_back({"W-TAKEN", fmt::format("{:.1f} % of the rounds' time, {}", percent, in_rounds(rounds)),
                   "neither client nor server had the cpu: others held it", "stop the other programs",
                   plan.op, "--cpu N"});
}

void look_for_switches(const std::vector<cell>& cells, const op_plan& plan, std::vector<warning>& found) {
  const auto rounds = count(cells, &round_flags::switches);
  if (!rounds.above(tolerated)) return;
  found.push_back({"W-SWITCHES", in_rounds(rounds),
                   "the measuring thread was put off the cpu more often than in the cell's usual round",
                   "stop the other programs", plan.op, "--cpu N"});
}

void look_for_faults(const std::vector<cell>& cells, const op_plan& plan, std::vector<warning>& found) {
  const auto rounds = count(cells, &round_flags::faults);
  if (!rounds.above(tolerated)) return;
  found.push_back({"W-FAULTS", in_rounds(rounds),
                   "the measuring thread met pages that were not there more often than in the usual round",
                   "free memory, and look for a client that gives its heap back", plan.op, ""});
}

void look_for_moves(const std::vector<cell>& cells, const op_plan& plan, int cpu,
                    std::vector<warning>& found) {
  const auto rounds = count(cells, &round_flags::migrated);
  if (rounds.flagged == 0) return;
  found.push_back({"W-MIGRATED", fmt::format("{}, not on cpu {} alone", in_rounds(rounds), cpu),
                   "something changed the affinity of the measuring thread",
                   "look for a library or a manager of cpu sets that does", plan.op, ""});
}

std::optional<steadiness> course_of_rounds(const cell& measured) {
  std::vector<double> times;
  for (const auto& timed : measured.rounds) {
    if (timed.group != measured.group || timed.elapsed_ns <= 0) continue;
    times.push_back(static_cast<double>(timed.elapsed_ns) / static_cast<double>(timed.ops));
  }
  return course_of(times);
}

/// Levels that moved, one warning per kind: what moves one cell mostly moves all of them. Fresh processes start at levels of
/// their own.
void look_for_courses(const std::vector<cell>& cells, const op_plan& plan, std::vector<warning>& found) {
  if (plan.processes > 1) return;
  const auto look = [&](course label, double steadiness::*size, const char* code, const char* cause) {
    std::size_t moved = 0;
    double most = 0, neighbours = 0;
    std::string most_id;
    for (const auto& measured : cells) {
      const auto seen = course_of_rounds(measured);
      if (!seen || seen->label != label) continue;
      ++moved;
      if (std::abs((*seen).*size) <= std::abs(most)) continue;
      most = (*seen).*size;
      neighbours = seen->neighbours;
      most_id = measured.what.id;
    }
    if (moved == 0) return;
    found.push_back(
        {code,
         fmt::format("{} of {} cells, most {}: {:+.1f} %, neighbouring rounds correlate by {:.2f}", moved,
                     cells.size(), most_id, 100 * most, neighbours),
         cause, "trust ratios before times: what cells share cancels in a pair", plan.op, longer(plan)});
  };
  look(course::drifting, &steadiness::drift, "W-DRIFT", "the level moved from the first round to the last");
  look(course::step, &steadiness::step, "W-STEP", "the level changed at once in the middle of the run");
}

}  // namespace

std::vector<warning> findings(const std::vector<cell>& cells, const op_plan& plan, int cpu) {
  std::vector<warning> found;
  for (const auto& measured : cells) {
    look_for_modes(measured, found);
    // What a server tells has as many digits as it takes.
    if (measured.what.rung != "realt") look_for_unequal_work(measured, found);
    look_for_standstill(measured, found);
  }
  look_for_steal(cells, plan, found);
  look_for_pressure(cells, plan, found);
  look_for_taken_time(cells, plan, found);
  look_for_switches(cells, plan, found);
  look_for_faults(cells, plan, found);
  look_for_moves(cells, plan, cpu, found);
  look_for_courses(cells, plan, found);
  if (plan.rows > 0 && !plan.balanced) {
    found.push_back({"W-BALANCE", fmt::format("{} rows", plan.rows),
                     "positions not balanced: the run ended inside a block", "measure longer", plan.op,
                     longer(plan)});
  }
  if (plan.rows < rows_needed() && plan.reason == ended_by::budget) {
    found.push_back({"W-ROWS", fmt::format("{} of {} rows", plan.rows, rows_needed()),
                     "too few rows for an interval", "measure longer", plan.op, longer(plan)});
  }
  return found;
}

std::vector<warning> findings(const std::vector<comparison>& pairs, const op_plan& plan) {
  const comparison* worst = nullptr;
  const auto worth = [](const comparison& pair) {
    return *pair.effective_rows / static_cast<double>(pair.rows);
  };
  for (const auto& pair : pairs) {
    if (!pair.effective_rows || pair.rows == 0 || pair.by_process || worth(pair) >= 0.5) continue;
    if (worst == nullptr || worth(pair) < worth(*worst)) worst = &pair;
  }
  if (worst == nullptr) return {};
  return {{"W-NEFF",
           fmt::format("{} over {}: {} rows are worth {:.0f}", worst->b, worst->a, worst->rows,
                       *worst->effective_rows),
           "neighbouring rows hang together, so connection sets are the sample",
           "look for what differs between connections", plan.op, "--processes 8"}};
}

}  // namespace bench
