#include "bench/report_console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

/// Three or four significant digits are what an interval of one per cent can carry.
std::string number(double value) {
  const double size = std::abs(value);
  return fmt::format("{:.{}f}", value, size >= 1000 ? 0 : size >= 100 ? 1 : 2);
}

std::string signed_number(double value) {
  return (value < 0 ? "" : "+") + number(value);
}

std::string ratio_number(double value) {
  return fmt::format("{:.{}f}", value, value >= 10 ? 2 : 3);
}

std::string or_dash(const std::optional<double>& value, double unit = 1) {
  return value ? number(*value / unit) : "-";
}

/// Counts are whole unless rounds disagree.
std::string count(const std::optional<double>& value) {
  if (!value) return "-";
  return *value == std::floor(*value) ? fmt::format("{:.0f}", *value) : number(*value);
}

std::string range(const std::optional<double>& lo, const std::optional<double>& hi, double unit,
                  std::string (*print)(double)) {
  return lo && hi ? fmt::format("[{}, {}]", print(*lo / unit), print(*hi / unit)) : "[-]";
}

std::string with_range(const std::optional<double>& value, const std::optional<double>& lo,
                       const std::optional<double>& hi, double unit, std::string (*print)(double)) {
  if (!value) return "-";
  return print(*value / unit) + " " + range(lo, hi, unit, print);
}

std::string bold(const std::string& text, bool colour) {
  return colour ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string verdict_text(const comparison& pair, bool colour) {
  if (2 * pair.tied > pair.rows) return "below clock resolution";
  const std::string text = name(pair.says);
  if (!colour) return text;
  switch (pair.says) {
    case verdict::faster:
      return "\x1b[32m" + text + "\x1b[0m";
    case verdict::slower:
      return "\x1b[31m" + text + "\x1b[0m";
    default:
      return text;
  }
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
  std::string rows_by_ops(const cell& one) const;

  const result& measured_;
  const op_plan& op_;
  bool colour_;
  std::vector<const cell*> cells_;
  std::vector<const comparison*> pairs_;
};

std::string op_report::rows_by_ops(const cell& one) const {
  return fmt::format("{} rows x {} ops", op_.rows, op_.groups.at(one.group).ops_per_round);
}

std::string op_report::header() const {
  std::string line = fmt::format("{}: {} on cpu {}, closed loop", op_.op,
                                 cells_.empty() ? "-" : cells_.front()->what.placement, measured_.plan.cpu);
  for (std::size_t g = 0; g < op_.groups.size(); ++g) {
    line += g == 0 ? fmt::format(", {} rows x {}", op_.rows, op_.groups[g].ops_per_round)
                   : fmt::format(" and {}", op_.groups[g].ops_per_round);
  }
  if (!op_.groups.empty()) line += " ops";
  line = bold(line, colour_) + fmt::format(", ended by {} after {:.1f} s\n", name(op_.reason), op_.elapsed_s);
  if (!op_.failure.empty()) line += fmt::format("  failed: {}\n", op_.failure);
  return line;
}

std::string warning_line(const warning& doubt) {
  return fmt::format("  {} {}\n    {}; {}\n", doubt.code, doubt.number, doubt.cause, doubt.remedy);
}

std::string op_report::warnings() const {
  std::string lines;
  for (const auto& doubt : measured_.warnings) {
    if (doubt.op == op_.op) lines += warning_line(doubt);
  }
  return lines;
}

std::string op_report::cell_table() const {
  std::string lines =
      fmt::format("\n  {:<7}{:<11}{:<10}{:>9}  {:<22}{:>8}{:>8}{:>9}{:>16}{:>8}\n", "rung", "client", "peer",
                  "us/op", "95 %", "cpu us:", "server", "frames", "bytes", "calls");
  for (const auto* one : cells_) {
    const auto& [id, op, rung, client, peer, transport, placement] = one->what;
    const auto& per_op = one->per_op;
    lines += fmt::format("  {:<7}{:<11}{:<10.9}{:>9}  {:<22}{:>8}{:>8}{:>9}{:>16}{:>8}\n", rung, client, peer,
                         or_dash(per_op.median_ns, 1e3), range(per_op.lo_ns, per_op.hi_ns, 1e3, number),
                         or_dash(per_op.client_cpu_ns, 1e3), or_dash(per_op.server_cpu_ns, 1e3),
                         fmt::format("{}/{}", count(per_op.frames_out), count(per_op.frames_in)),
                         fmt::format("{}/{}", count(per_op.bytes_out), count(per_op.bytes_in)),
                         count(per_op.syscalls));
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
      return fmt::format("{} over {}", b.peer, a.peer);
    case question::floor:
    case question::overhead:
      break;
  }
  const auto where = b.rung == "real" ? fmt::format(", {}", b.peer) : "";
  return fmt::format("{} over {}{}", b.client, a.client, where);
}

std::string op_report::comparison_table() const {
  if (pairs_.empty()) return "";
  std::string lines = fmt::format("\n  {:<24}{:<25}{:<22}{:<24}{}\n", "single 95 % intervals", "us", "ratio",
                                  "floor units", "verdict");
  for (const auto* pair : pairs_) {
    lines += fmt::format(
        "  {:<24.23}{:<25}{:<22}{:<24}{}\n", title(*pair),
        with_range(pair->difference_ns, pair->difference_lo_ns, pair->difference_hi_ns, 1e3, signed_number),
        with_range(pair->ratio, pair->lo, pair->hi, 1, ratio_number),
        with_range(pair->floor_units, pair->floor_units_lo, pair->floor_units_hi, 1, number),
        verdict_text(*pair, colour_));
  }
  return lines;
}

std::string op_report::unequal_work() const {
  std::string lines;
  for (const auto* pair : pairs_) {
    if (pair->asks != question::overhead) continue;
    const auto describe = [](const cell& one) {
      const auto& per_op = one.per_op;
      return fmt::format("{} sends {} bytes in {} frames and gets {} in {}", one.what.client,
                         count(per_op.bytes_out), count(per_op.frames_out), count(per_op.bytes_in),
                         count(per_op.frames_in));
    };
    const auto &raw = at(pair->a), &driver = at(pair->b);
    const auto work = [](const figures& of) {
      return std::tie(of.bytes_out, of.frames_out, of.bytes_in, of.frames_in);
    };
    const bool known = raw.per_op.bytes_out && driver.per_op.bytes_out;
    if (!known || work(raw.per_op) == work(driver.per_op)) continue;
    lines += fmt::format("  unequal work: {};\n                {}\n", describe(driver), describe(raw));
  }
  return lines.empty() ? lines : "\n" + lines;
}

/// A cell is limited by the side that is on the cpu for more than half of the time.
std::string op_report::limiters() const {
  std::string by_client, by_server;
  for (const auto* one : cells_) {
    const auto& per_op = one->per_op;
    if (!per_op.median_ns) continue;
    const auto add = [&](std::string& list, const std::optional<double>& cpu_ns) {
      if (!cpu_ns || *cpu_ns <= *per_op.median_ns / 2) return;
      list += fmt::format("{}{} {} ({:.0f} %)", list.empty() ? "" : ", ", one->what.rung, one->what.client,
                          100 * *cpu_ns / *per_op.median_ns);
    };
    add(by_client, per_op.client_cpu_ns);
    add(by_server, per_op.server_cpu_ns);
  }
  std::string lines;
  if (!by_client.empty()) lines += "  limited by client CPU: " + by_client + "\n";
  if (!by_server.empty()) lines += "  limited by server CPU: " + by_server + "\n";
  return lines.empty() ? lines : "\n" + lines;
}

std::string op_report::summaries() const {
  std::string lines;
  for (const auto* pair : pairs_) {
    if (pair->asks != question::overhead || !pair->difference_ns) continue;
    const auto& driver = at(pair->b);
    const auto peer = driver.what.rung == "real" ? fmt::format(" on {}", driver.what.peer) : "";
    lines += bold(fmt::format("  {} adds {} us {} to {}{}, {} {} times raw", driver.what.client,
                              number(*pair->difference_ns / 1e3),
                              range(pair->difference_lo_ns, pair->difference_hi_ns, 1e3, number), op_.op,
                              peer, ratio_number(*pair->ratio), range(pair->lo, pair->hi, 1, ratio_number)),
                  colour_);
    if (pair->floor_units) {
      lines += fmt::format(",\n    {} floor units", with_range(pair->floor_units, pair->floor_units_lo,
                                                               pair->floor_units_hi, 1, number));
    }
    lines += fmt::format("; {}, interleaved, {}\n", rows_by_ops(driver), driver.what.placement);
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
    if (doubt.op.empty()) text += warning_line(doubt);
  }
  if (!text.empty()) text += "\n";
  for (const auto& op : measured.plan.ops) text += report_op(measured, op, colour);
  return text;
}

}  // namespace bench
