#include "bench/report_sentences.hpp"

#include "bench/attribution.hpp"
#include "bench/report_text.hpp"
#include "bench/statistics.hpp"
#include "bench/waiting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

/// "same-cpu", or each one that there is: a server of its own may stand elsewhere.
std::string placements(const std::vector<const cell*>& cells) {
  std::vector<std::string> all;
  for (const auto* one : cells) {
    const auto& where = one->what.placement;
    if (std::find(all.begin(), all.end(), where) == all.end()) all.push_back(where);
  }
  return all.empty() ? "-" : fmt::format("{}", fmt::join(all, " and "));
}

/// How many values an interval over connection sets rests on, for a comparison of `b` in its own row group.
std::size_t connection_sets(const cell& b) {
  std::vector<double> times;
  std::vector<std::uint64_t> sets;
  for (const auto& timed : b.rounds) {
    if (timed.group != b.group) continue;
    times.push_back(static_cast<double>(timed.elapsed_ns));
    sets.push_back(timed.connection_set);
  }
  return set_medians(times, sets).size();
}

/// What differs between the work of two cells: "bytes sent: 133 by libmongoc, 97 by raw".
std::string unequal_counts(const cell& driver, const cell& raw) {
  std::string found;
  const auto look = [&](const char* what, std::optional<double> figures::*part) {
    const auto &by_driver = driver.per_op.*part, &by_raw = raw.per_op.*part;
    if (!by_driver || !by_raw || *by_driver == *by_raw) return;
    found += fmt::format("{} {}: {} by {}, {} by {}", found.empty() ? "" : ";", what, count(by_driver),
                         driver.what.client, count(by_raw), raw.what.client);
  };
  look("bytes sent", &figures::bytes_out);
  look("frames sent", &figures::frames_out);
  look("bytes received", &figures::bytes_in);
  look("frames received", &figures::frames_in);
  return found;
}

/// In the cell's own row group.
std::uint64_t ops_per_round(const cell& measured) {
  const auto own = [&measured](const round& timed) { return timed.group == measured.group; };
  const auto found = std::find_if(measured.rounds.begin(), measured.rounds.end(), own);
  return found == measured.rounds.end() ? 0 : found->ops;
}

/// Cells whose rounds are slower than the op, because something is watched in them.
bool only_looks_closer(const labels& what) {
  return !what.stamps.empty() || what.rung == "realt";
}

std::string us(const std::optional<estimate>& of) {
  if (!of) return "-";
  const auto lo = of->range ? std::optional(of->range->lo) : std::nullopt;
  const auto hi = of->range ? std::optional(of->range->hi) : std::nullopt;
  return with_range(of->value, lo, hi, 1e3, number);
}

/// "encode 0.21, send 2.10, wait 3.90, recv 0.00, decode 0.30".
std::string stage_list(const stage_figures& ns) {
  std::string list;
  for (const auto one : all_stages) {
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", name(one),
                        number(ns[static_cast<std::size_t>(one)] / 1e3));
  }
  return list;
}

}  // namespace

op_view::op_view(const result& whole, const op_plan& op) : measured(whole), plan(op) {
  for (const auto& one : whole.cells) {
    if (one.what.op == op.op && !only_looks_closer(one.what)) cells.push_back(&one);
  }
  for (const auto& pair : whole.comparisons) {
    if (pair.op == op.op) pairs.push_back(&pair);
  }
  for (const auto& one : whole.attributions) {
    if (one.op == op.op) attributions.push_back(&one);
  }
}

std::string heading(const op_view& op) {
  std::string peers;
  for (const auto* one : op.cells) {
    const auto& what = one->what;
    if (peers.find(what.peer) != std::string::npos) continue;
    peers += (peers.empty() ? "" : ", ") + what.peer;
    if (what.profile) peers += fmt::format(" ({})", *what.profile);
  }
  return fmt::format("{} against {}", op.plan.op, peers);
}

std::string plan_sentence(const op_view& op) {
  std::string batches;
  for (const auto& group : op.plan.groups) {
    batches += fmt::format("{}{}", batches.empty() ? "" : " and ", group.ops_per_round);
  }
  auto sentence = fmt::format("{} on cpu {}, closed loop, {} rows x {} ops, ended by {} after {:.1f} s",
                              placements(op.cells), op.measured.plan.cpu, op.plan.rows,
                              batches.empty() ? "0" : batches, name(op.plan.reason), op.plan.elapsed_s);
  if (op.plan.processes > 1) sentence += fmt::format(", in {} fresh processes", op.plan.processes);
  if (op.plan.aa_floor) sentence += fmt::format(", A/A floor {:.2f} %", 100 * std::expm1(*op.plan.aa_floor));
  return sentence;
}

/// What an interval says about other layouts of code and memory, which each process has its own of.
std::string layouts(const comparison& pair, const op_plan& op) {
  if (pair.by_process) return fmt::format("interval over {} processes", op.processes);
  if (op.processes == 1) return "one layout";
  return fmt::format("{} processes: too few for an interval over them", op.processes);
}

std::string title(const result& measured, const comparison& pair) {
  const auto& a = find_cell(measured.cells, pair.a)->what;
  const auto& b = find_cell(measured.cells, pair.b)->what;
  switch (pair.asks) {
    case question::aa:
      return "raw again over raw";
    case question::layer:
      return fmt::format("{} over {}", b.rung, a.rung);
    case question::server:
      return "raw, real over null";
    case question::dispatch:
      return "noop, real over null";
    case question::work:
      return "raw over noop, real";
    case question::interaction:
      return fmt::format("{} x real server", b.client);
    case question::first_row:
      return fmt::format("{} over {}", b.id, a.id);
    case question::floor:
    case question::overhead:
      break;
  }
  const auto where = b.service_ns       ? ", " + service_time_name(std::chrono::nanoseconds(*b.service_ns))
                     : b.rung == "real" ? std::string(", real")
                                        : std::string();
  return fmt::format("{} over {}{}", b.client, a.client, where);
}

std::vector<std::string> unequal_work(const op_view& op) {
  std::vector<std::string> lines;
  for (const auto* pair : op.pairs) {
    if (pair->asks != question::overhead || op.at(pair->b).what.service_ns) continue;  // as without D
    const auto found = unequal_counts(op.at(pair->b), op.at(pair->a));
    if (!found.empty()) lines.push_back("unequal work per op," + found);
  }
  return lines;
}

/// A cell is limited by the side that is on the cpu for more than half of the time.
std::vector<std::string> limiters(const op_view& op) {
  std::string by_client, by_server;
  for (const auto* one : op.cells) {
    const auto add = [one](std::string& list, const std::optional<double>& cpu_ns) {
      const auto& time_ns = one->per_op.median_ns;
      if (!time_ns || !cpu_ns || *cpu_ns <= *time_ns / 2) return;
      list += fmt::format("{} {} {} ({:.0f} %)", list.empty() ? "" : ",", one->what.rung, one->what.client,
                          100 * *cpu_ns / *time_ns);
    };
    add(by_client, one->per_op.client_cpu_ns);
    add(by_server, one->per_op.server_cpu_ns);
  }
  std::vector<std::string> lines;
  if (!by_client.empty()) lines.push_back("limited by client CPU:" + by_client);
  if (!by_server.empty()) lines.push_back("limited by server CPU:" + by_server);
  return lines;
}

std::vector<std::string> sentences_of(const op_view& op, const attribution& made) {
  std::vector<std::string> lines;
  const auto& what = op.at(made.cell).what;
  if (made.calibrated && made.calibrated->server_ns) {
    const auto& found = *made.calibrated;
    lines.push_back(fmt::format("{} takes {} us: client and kernel {}, really waiting {}, server {}",
                                made.cell, us(made.total_ns), us(found.client_ns), us(found.waiting_ns),
                                us(found.server_ns)));
  }
  if (what.service_ns) {
    lines.push_back(fmt::format("put into the null server {} us ({})", us(made.server_lo_ns), made.told_by));
  } else {
    lines.push_back(made.server_lo_ns ? fmt::format("the server tells {} us at least ({})",
                                                    us(made.server_lo_ns), made.told_by)
                                      : fmt::format("the server tells no time of its own: {}", made.told_by));
    if (made.server_hi_ns)
      lines.push_back(fmt::format("the client waited {} us for it at most", us(made.server_hi_ns)));
  }
  if (made.stages_ns) lines.push_back("stages, us: " + stage_list(*made.stages_ns));
  if (made.stages_cpu_ns) lines.push_back("of them on the cpu, us: " + stage_list(*made.stages_cpu_ns));
  for (const auto& reason : made.judged.reasons) lines.push_back("open: " + reason);
  for (const auto& reason : made.judged.unchecked) lines.push_back("not checked: " + reason);
  for (const auto& bias : made.biases) lines.push_back("bias, " + bias);
  lines.push_back(verdict_of(made.judged));
  return lines;
}

std::vector<std::string> summaries(const op_view& op) {
  std::vector<std::string> lines;
  for (const auto* pair : op.pairs) {
    if (pair->asks != question::overhead || !pair->difference_ns) continue;
    const auto& driver = op.at(pair->b);
    if (driver.what.service_ns) continue;  // its line in the table is enough
    std::string sentence;
    if (pair->says == verdict::inconclusive) sentence = "inconclusive: ";
    if (pair->says == verdict::equivalent) {
      sentence = fmt::format("equivalent within {:g} %: ", 100 * op.measured.plan.delta);
    }
    sentence += fmt::format("{} adds {} us {} to {}{}, {} times raw", driver.what.client,
                            number(*pair->difference_ns / 1e3),
                            range(pair->difference_lo_ns, pair->difference_hi_ns, 1e3, number), op.plan.op,
                            driver.what.rung == "real" ? " on " + driver.what.peer : "",
                            with_range(pair->ratio, pair->lo, pair->hi, 1, ratio_number));
    if (pair->floor_units) {
      sentence += fmt::format(", {} floor units", with_range(pair->floor_units, pair->floor_units_lo,
                                                             pair->floor_units_hi, 1, number));
    }
    sentence += fmt::format("; {} rows x {} ops", pair->rows, ops_per_round(driver));
    if (pair->by_connection_set)
      sentence += fmt::format(", interval over {} connection sets", connection_sets(driver));
    sentence += ", " + layouts(*pair, op.plan);
    sentence += fmt::format(", interleaved, {}", placements({&op.at(pair->a), &driver}));
    lines.push_back(sentence);
  }
  return lines;
}

}  // namespace bench
