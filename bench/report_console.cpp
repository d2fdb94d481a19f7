#include "bench/report_console.hpp"

#include "bench/report_text.hpp"
#include "bench/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

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

/// One op of a result, with what its lines need to know.
class op_report {
 public:
  op_report(const result& measured, const op_plan& op, bool colour)
      : measured_(measured), op_(op), colour_(colour) {
    for (const auto& one : measured.cells) {
      if (one.what.op == op.op) cells_.push_back(&one);
    }
    for (const auto& pair : measured.comparisons) {
      if (pair.op == op.op) pairs_.push_back(&pair);
    }
  }

  std::string text() const {
    return header() + warnings() + cell_table() + comparison_table() + unequal_work() + limiters() +
           summaries() + "\n";
  }

 private:
  std::string header() const;
  std::string warnings() const;
  std::string cell_table() const;
  std::string comparison_table() const;
  std::string unequal_work() const;
  std::string limiters() const;
  std::string summaries() const;

  const cell& at(const std::string& id) const { return *find_cell(measured_.cells, id); }
  std::string title(const comparison& pair) const;

  const result& measured_;
  const op_plan& op_;
  bool colour_;
  std::vector<const cell*> cells_;
  std::vector<const comparison*> pairs_;
};

std::string op_report::header() const {
  std::string peers, batches;
  for (const auto* one : cells_) {
    if (peers.find(one->what.peer) == std::string::npos)
      peers += (peers.empty() ? "" : ", ") + one->what.peer;
  }
  for (const auto& group : op_.groups) {
    batches += fmt::format("{}{}", batches.empty() ? "" : " and ", group.ops_per_round);
  }
  auto lines = bold(fmt::format("{} against {}", op_.op, peers), colour_) + "\n";
  lines += paragraph(fmt::format("{} on cpu {}, closed loop, {} rows x {} ops, ended by {} after {:.1f} s",
                                 placements(cells_), measured_.plan.cpu, op_.rows,
                                 batches.empty() ? "0" : batches, name(op_.reason), op_.elapsed_s));
  if (!op_.failure.empty()) lines += paragraph("failed: " + op_.failure);
  return lines;
}

std::string op_report::warnings() const {
  std::string lines;
  for (const auto& doubt : measured_.warnings) {
    if (doubt.op == op_.op) lines += warning_lines(doubt);
  }
  return lines;
}

std::string op_report::cell_table() const {
  constexpr auto row = "  {:<7}{:<10}{:<11.10}{:<5}{:>8}  {:<20}{:>9}{:>9}{:>7}{:>14}{:>6}\n";
  std::string lines =
      fmt::format("\n  {:<63}{:>18}{:>7}{:>14}{:>6}\n", "", "cpu us/op", "frames", "bytes", "sys-");
  lines += fmt::format(row, "rung", "client", "peer", "over", "us/op", "95 %", "client", "server", "out/in",
                       "out/in", "calls");
  for (const auto* one : cells_) {
    const auto& per_op = one->per_op;
    lines += fmt::format(row, one->what.rung, one->what.client, one->what.peer, one->what.transport,
                         microseconds(per_op.median_ns), range(per_op.lo_ns, per_op.hi_ns, 1e3, number),
                         microseconds(per_op.client_cpu_ns), microseconds(per_op.server_cpu_ns),
                         count(per_op.frames_out) + "/" + count(per_op.frames_in),
                         count(per_op.bytes_out) + "/" + count(per_op.bytes_in), count(per_op.syscalls));
  }
  return lines;
}

std::string op_report::title(const comparison& pair) const {
  const auto& a = at(pair.a).what;
  const auto& b = at(pair.b).what;
  switch (pair.asks) {
    case question::aa:
      return "raw again over raw";
    case question::layer:
      return fmt::format("{} over {}", b.rung, a.rung);
    case question::server:
      return "raw, real over null";
    case question::floor:
    case question::overhead:
      break;
  }
  return fmt::format("{} over {}{}", b.client, a.client, b.rung == "real" ? ", real" : "");
}

std::string op_report::comparison_table() const {
  if (pairs_.empty()) return "";
  constexpr auto row = "  {:<25} {:<24} {:<21} {:<22} {}\n";
  std::string lines =
      "\n" + fmt::format(row, "single 95 % intervals", "us", "ratio", "floor units", "verdict");
  std::string tied;
  for (const auto* pair : pairs_) {
    lines += fmt::format(
        row, title(*pair),
        with_range(pair->difference_ns, pair->difference_lo_ns, pair->difference_hi_ns, 1e3, signed_number),
        with_range(pair->ratio, pair->lo, pair->hi, 1, ratio_number),
        with_range(pair->floor_units, pair->floor_units_lo, pair->floor_units_hi, 1, number),
        coloured(pair->says, colour_));
    if (2 * pair->tied > pair->rows) {
      tied += paragraph(
          fmt::format("{}: below clock resolution in {} of {} rows", title(*pair), pair->tied, pair->rows));
    }
  }
  return lines + tied;
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

std::string op_report::unequal_work() const {
  std::string lines;
  for (const auto* pair : pairs_) {
    if (pair->asks != question::overhead) continue;
    const auto found = unequal_counts(at(pair->b), at(pair->a));
    if (!found.empty()) lines += paragraph("unequal work per op," + found);
  }
  return lines.empty() ? lines : "\n" + lines;
}

/// A cell is limited by the side that is on the cpu for more than half of the time.
std::string op_report::limiters() const {
  std::string by_client, by_server;
  for (const auto* one : cells_) {
    const auto add = [one](std::string& list, const std::optional<double>& cpu_ns) {
      const auto& time_ns = one->per_op.median_ns;
      if (!time_ns || !cpu_ns || *cpu_ns <= *time_ns / 2) return;
      list += fmt::format("{} {} {} ({:.0f} %)", list.empty() ? "" : ",", one->what.rung, one->what.client,
                          100 * *cpu_ns / *time_ns);
    };
    add(by_client, one->per_op.client_cpu_ns);
    add(by_server, one->per_op.server_cpu_ns);
  }
  std::string lines;
  if (!by_client.empty()) lines += paragraph("limited by client CPU:" + by_client);
  if (!by_server.empty()) lines += paragraph("limited by server CPU:" + by_server);
  return lines.empty() ? lines : "\n" + lines;
}

std::string op_report::summaries() const {
  std::string lines;
  for (const auto* pair : pairs_) {
    if (pair->asks != question::overhead || !pair->difference_ns) continue;
    const auto& driver = at(pair->b);
    std::string sentence;
    if (pair->says == verdict::inconclusive) sentence = "inconclusive: ";
    if (pair->says == verdict::equivalent) {
      sentence = fmt::format("equivalent within {:g} %: ", 100 * measured_.plan.delta);
    }
    sentence += fmt::format("{} adds {} us {} to {}{}, {} times raw", driver.what.client,
                            number(*pair->difference_ns / 1e3),
                            range(pair->difference_lo_ns, pair->difference_hi_ns, 1e3, number), op_.op,
                            driver.what.rung == "real" ? " on " + driver.what.peer : "",
                            with_range(pair->ratio, pair->lo, pair->hi, 1, ratio_number));
    if (pair->floor_units) {
      sentence += fmt::format(", {} floor units", with_range(pair->floor_units, pair->floor_units_lo,
                                                             pair->floor_units_hi, 1, number));
    }
    sentence += fmt::format("; {} rows x {} ops", pair->rows, op_.groups.at(driver.group).ops_per_round);
    if (pair->by_connection_set)
      sentence += fmt::format(", interval over {} connection sets", connection_sets(driver));
    sentence += fmt::format(", interleaved, {}", placements({&at(pair->a), &driver}));
    lines += bold(paragraph(sentence), colour_);
  }
  return lines.empty() ? lines : "\n" + lines;
}

}  // namespace

std::string report_op(const result& measured, const op_plan& op, bool colour) {
  return op_report(measured, op, colour).text();
}

std::string report_console(const result& measured, bool colour) {
  std::string text;
  for (const auto& doubt : measured.warnings) {
    if (doubt.op.empty()) text += warning_lines(doubt);
  }
  if (!text.empty()) text += "\n";
  for (const auto& op : measured.plan.ops) text += report_op(measured, op, colour);
  return text;
}

}  // namespace bench
