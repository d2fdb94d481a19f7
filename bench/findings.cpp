#include "bench/findings.hpp"

#include "bench/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace bench {
namespace {

constexpr const char* longer = "raise --budget";

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

/// Steal counts in ticks of 10 ms, so it is judged over all rounds together: as a share of the time that they
/// took, without warm-up and reconnects.
void look_for_steal(const std::vector<cell>& cells, const op_plan& plan, std::vector<warning>& found) {
  constexpr double tick_ns = 1e7;
  double stolen_ns = 0, covered_ns = 0;
  for (const auto& measured : cells) {
    for (const auto& timed : measured.rounds) {
      if (!timed.steal_ticks) continue;
      stolen_ns += static_cast<double>(*timed.steal_ticks) * tick_ns;
      covered_ns += static_cast<double>(timed.elapsed_ns);
    }
  }
  if (stolen_ns <= 0.01 * covered_ns) return;
  found.push_back({"W-STEAL", fmt::format("{:.1f} % of the rounds' time", 100 * stolen_ns / covered_ns),
                   "the hypervisor took the cpu", "measure again when the host is quieter, or raise --budget",
                   plan.op});
}

void look_for_moves(const std::vector<cell>& cells, const op_plan& plan, int cpu,
                    std::vector<warning>& found) {
  std::size_t moved = 0;
  for (const auto& measured : cells) {
    moved += static_cast<std::size_t>(
        std::count_if(measured.rounds.begin(), measured.rounds.end(),
                      [cpu](const round& timed) { return timed.cpu_start != cpu || timed.cpu_end != cpu; }));
  }
  if (moved == 0) return;
  found.push_back({"W-MOVED", fmt::format("{} rounds not on cpu {}", moved, cpu),
                   "something changed the affinity of the measuring thread",
                   "look for a library or a manager of cpu sets that does", plan.op});
}

}  // namespace

std::vector<warning> findings(const std::vector<cell>& cells, const op_plan& plan, int cpu) {
  std::vector<warning> found;
  for (const auto& measured : cells) {
    look_for_modes(measured, found);
    look_for_unequal_work(measured, found);
  }
  look_for_steal(cells, plan, found);
  look_for_moves(cells, plan, cpu, found);
  if (plan.rows > 0 && !plan.balanced) {
    found.push_back({"W-BALANCE", fmt::format("{} rows", plan.rows),
                     "positions not balanced: the run ended inside a block", longer, plan.op});
  }
  if (plan.rows < rows_needed() && plan.reason == ended_by::budget) {
    found.push_back({"W-ROWS", fmt::format("{} of {} rows", plan.rows, rows_needed()),
                     "too few rows for an interval", longer, plan.op});
  }
  return found;
}

}  // namespace bench
