#include "bench/report_console.hpp"

#include "bench/load/report.hpp"
#include "bench/report_counts.hpp"
#include "bench/report_sentences.hpp"
#include "bench/report_text.hpp"
#include "bench/waiting.hpp"

#include <fmt/format.h>

namespace bench {
namespace {

/// Paragraphs with a blank line before them.
std::string block(const std::vector<std::string>& sentences) {
  std::string lines;
  for (const auto& sentence : sentences) lines += paragraph(sentence);
  return lines.empty() ? lines : "\n" + lines;
}

/// One op of a result, with what its lines need to know.
class op_report {
 public:
  op_report(const result& measured, const op_plan& op, bool colour) : op_(measured, op), colour_(colour) {}

  std::string text() const {
    return header() + warnings() + cell_table() + comparison_table() + counts_table(op_.cells) +
           block(unequal_work(op_)) + block(limiters(op_)) + attributions() + summaries() + "\n";
  }

 private:
  std::string header() const;
  std::string warnings() const;
  std::string cell_table() const;
  std::string comparison_table() const;
  std::string attributions() const;
  std::string summaries() const;

  op_view op_;
  bool colour_;
};

std::string op_report::header() const {
  auto lines = bold(heading(op_), colour_) + "\n" + paragraph(plan_sentence(op_));
  if (!op_.plan.failure.empty()) lines += paragraph("failed: " + op_.plan.failure);
  return lines;
}

std::string op_report::warnings() const {
  std::string lines;
  for (const auto& doubt : op_.measured.warnings) {
    if (doubt.op == op_.plan.op) lines += warning_lines(doubt);
  }
  return lines;
}

std::string op_report::cell_table() const {
  constexpr auto row = "  {:<7}{:<10}{:<11.10}{:<5}{:>8}  {:<20}{:>9}{:>9}{:>7}{:>14}{:>6}\n";
  std::string lines =
      fmt::format("\n  {:<63}{:>18}{:>7}{:>14}{:>6}\n", "", "cpu us/op", "frames", "bytes", "sys-");
  lines += fmt::format(row, "rung", "client", "peer", "over", "us/op", "95 %", "client", "server", "out/in",
                       "out/in", "calls");
  for (const auto* one : op_.cells) {
    const auto& per_op = one->per_op;
    const auto& waits_ns = one->what.service_ns;
    const auto peer =
        waits_ns ? "D=" + service_time_name(std::chrono::nanoseconds(*waits_ns)) : one->what.peer;
    lines += fmt::format(row, one->what.rung, one->what.client, peer, one->what.transport,
                         microseconds(per_op.median_ns), range(per_op.lo_ns, per_op.hi_ns, 1e3, number),
                         microseconds(per_op.client_cpu_ns), microseconds(per_op.server_cpu_ns),
                         count(per_op.frames_out) + "/" + count(per_op.frames_in),
                         count(per_op.bytes_out) + "/" + count(per_op.bytes_in), count(per_op.syscalls));
  }
  return lines;
}

std::string op_report::comparison_table() const {
  if (op_.pairs.empty()) return "";
  constexpr auto row = "  {:<25} {:<24} {:<21} {:<22} {}\n";
  std::string lines =
      "\n" + fmt::format(row, "single 95 % intervals", "us", "ratio", "floor units", "verdict");
  std::string tied;
  for (const auto* pair : op_.pairs) {
    lines += fmt::format(
        row, title(op_.measured, *pair),
        with_range(pair->difference_ns, pair->difference_lo_ns, pair->difference_hi_ns, 1e3, signed_number),
        with_range(pair->ratio, pair->lo, pair->hi, 1, ratio_number),
        with_range(pair->floor_units, pair->floor_units_lo, pair->floor_units_hi, 1, number),
        coloured(pair->says, colour_));
    if (2 * pair->tied > pair->rows) {
      tied += paragraph(fmt::format("{}: below clock resolution in {} of {} rows", title(op_.measured, *pair),
                                    pair->tied, pair->rows));
    }
  }
  return lines + tied;
}

std::string op_report::attributions() const {
  std::string lines;
  for (const auto* made : op_.attributions) {
    auto sentences = sentences_of(op_, *made);
    const auto verdict = std::move(sentences.back());
    sentences.pop_back();
    lines += block(sentences) + bold(paragraph(verdict), colour_);
  }
  return lines;
}

std::string op_report::summaries() const {
  std::string lines;
  for (const auto& sentence : bench::summaries(op_)) lines += bold(paragraph(sentence), colour_);
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
  for (const auto& one : measured.cells) {
    if (one.load) text += load::report(one, colour);
  }
  return text;
}

}  // namespace bench
