#include "bench/report_markdown.hpp"

#include "bench/environment.hpp"
#include "bench/load/report.hpp"
#include "bench/report_docs.hpp"
#include "bench/report_files.hpp"
#include "bench/report_sentences.hpp"
#include "bench/report_sweep.hpp"
#include "bench/report_text.hpp"
#include "bench/suites/suite.hpp"

#include <fmt/format.h>

namespace bench {
namespace {

/// Text of others (a server's name, an error) must not end a table's cell or become markup. Brackets alone are none.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    const bool makes_a_link = c == '(' && safe.ends_with(']');
    if (makes_a_link || std::string_view("|\\`*_<>").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string table_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const auto& cell : cells) line += " " + escaped(cell) + " |";
  return line + "\n";
}

/// What a terminal shows, letter by letter.
std::string fenced(const std::string& text) {
  return "```\n" + text + (text.ends_with('\n') ? "" : "\n") + "```\n\n";
}

std::string items(const std::vector<std::string>& sentences) {
  std::string lines;
  for (const auto& sentence : sentences) lines += "* " + escaped(sentence) + "\n";
  return lines.empty() ? lines : lines + "\n";
}

/// About that op; about the whole run when it is empty.
std::string warnings_about(const result& measured, const std::string& op) {
  std::vector<std::string> sentences;
  for (const auto& doubt : measured.warnings) {
    if (doubt.op == op) sentences.push_back(sentence(doubt));
  }
  return items(sentences);
}

std::string cell_table(const op_view& op) {
  std::string lines = table_row({"rung", "client", "peer", "over", "us/op", "95 %", "client cpu us/op",
                                 "server cpu us/op", "frames out/in", "bytes out/in", "system calls"}) +
                      "| --- | --- | --- | --- | ---: | --- | ---: | ---: | --- | --- | ---: |\n";
  for (const auto* one : op.cells) {
    const auto& per_op = one->per_op;
    lines += table_row({one->what.rung, one->what.client, one->what.peer, one->what.transport,
                        microseconds(per_op.median_ns), range(per_op.lo_ns, per_op.hi_ns, 1e3, number),
                        microseconds(per_op.client_cpu_ns), microseconds(per_op.server_cpu_ns),
                        count(per_op.frames_out) + "/" + count(per_op.frames_in),
                        count(per_op.bytes_out) + "/" + count(per_op.bytes_in), count(per_op.syscalls)});
  }
  return lines + "\n";
}

std::string comparison_table(const op_view& op) {
  if (op.pairs.empty()) return "";
  std::string lines = table_row({"single 95 % intervals", "us", "ratio", "floor units", "rows", "verdict"}) +
                      "| --- | --- | --- | --- | ---: | --- |\n";
  for (const auto* pair : op.pairs) {
    lines += table_row(
        {title(op.measured, *pair),
         with_range(pair->difference_ns, pair->difference_lo_ns, pair->difference_hi_ns, 1e3, signed_number),
         with_range(pair->ratio, pair->lo, pair->hi, 1, ratio_number),
         with_range(pair->floor_units, pair->floor_units_lo, pair->floor_units_hi, 1, number),
         fmt::format("{}", pair->rows), name(pair->says)});
  }
  return lines + "\n";
}

std::string op_section(const result& measured, const op_plan& plan) {
  const op_view op(measured, plan);
  auto text = fmt::format("## {}\n\n{}\n\n", escaped(heading(op)), escaped(plan_sentence(op)));
  if (!plan.failure.empty()) text += fmt::format("**failed:** {}\n\n", escaped(plan.failure));
  text += warnings_about(measured, plan.op) + cell_table(op) + comparison_table(op) +
          items(unequal_work(op)) + items(limiters(op));
  for (const auto* made : op.attributions) text += items(sentences_of(op, *made));
  for (const auto& sentence : summaries(op)) text += fmt::format("**{}**\n\n", escaped(sentence));
  return text;
}

}  // namespace

std::string report_markdown(const result& measured) {
  std::string text = "# wirebench\n\n";
  for (const auto& [key, fact] : measured.context) {
    if (key == "started" || key == "wirebench" || key == "kernel" || key == "cpu" || key == "real_server")
      text += fmt::format("* {}: {}\n", escaped(key), escaped(fact));
  }
  text += "\n" + warnings_about(measured, "");
  if (const auto* suite = suites::find_suite(measured)) return text + fenced(suite->report(measured, false));
  if (is_sweep(measured)) return text + fenced(report_sweep(measured, false));
  for (const auto& op : measured.plan.ops) text += op_section(measured, op);
  if (!measured.docs.empty()) text += fenced(report_docs(measured, false));
  if (!measured.files.empty()) text += fenced(report_files(measured, false));
  for (const auto& one : measured.cells) {
    if (one.load) text += fenced(load::report(one, false));
  }
  return text;
}

}  // namespace bench
