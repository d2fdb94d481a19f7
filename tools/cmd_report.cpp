// wirebench report: a saved result in other forms.

#include "bench/hgrm.hpp"
#include "bench/histogram_v2.hpp"
#include "bench/report_console.hpp"
#include "bench/report_csv.hpp"
#include "bench/report_docs.hpp"
#include "bench/report_files.hpp"
#include "bench/report_gbench.hpp"
#include "bench/report_markdown.hpp"
#include "bench/report_ministat.hpp"
#include "bench/report_sweep.hpp"
#include "bench/suites/suite.hpp"

#include "tools/commands.hpp"
#include "tools/exit_code.hpp"
#include "tools/output.hpp"
#include "tools/result_file.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tools {
namespace {

struct report_options {
  std::string file;
  std::string format = "terminal";
  std::string cell;
  std::string output;
};

using rendered = absl::StatusOr<std::string>;

/// The cell that --cell names, or the only one.
absl::StatusOr<const bench::cell*> chosen_cell(const bench::result& measured, const report_options& options) {
  const auto& id = options.cell;
  if (const auto* named = bench::find_cell(measured.cells, id)) return named;
  if (id.empty() && measured.cells.size() == 1) return &measured.cells.front();
  std::vector<std::string> ids;
  for (const auto& one : measured.cells) ids.push_back(one.what.id);
  return absl::InvalidArgumentError(
      fmt::format("{}; there are {}",
                  id.empty() ? fmt::format("--format {} shows one cell: name it with --cell", options.format)
                             : fmt::format("there is no cell '{}'", id),
                  fmt::join(ids, ", ")));
}

rendered terminal(const bench::result& measured, const report_options& options) {
  const bool colour = options.output.empty() && stdout_takes_colour();
  if (const auto* suite = bench::suites::find_suite(measured)) return suite->report(measured, colour);
  if (bench::is_sweep(measured)) return bench::report_sweep(measured, colour);
  if (!measured.docs.empty()) return bench::report_docs(measured, colour);
  if (!measured.files.empty()) return bench::report_files(measured, colour);
  return bench::report_console(measured, colour);
}

rendered mongo_bench(const bench::result& measured, const report_options& /*options*/) {
  if (measured.docs.empty())
    return absl::InvalidArgumentError("--format mongo-bench shows a result of `wirebench docs`");
  return bench::report_mongo_bench(measured);
}

rendered values(const bench::result& measured, const report_options& options) {
  const auto cell = chosen_cell(measured, options);
  if (!cell.ok()) return cell.status();
  return bench::round_values(**cell);
}

/// The latencies of one cell, for HdrHistogram's plotters.
rendered histogram(const bench::result& measured, const report_options& options) {
  const auto cell = chosen_cell(measured, options);
  if (!cell.ok()) return cell.status();
  const auto& id = (*cell)->what.id;
  const auto& latency = (*cell)->latency;
  if (!latency) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' holds no latencies of single ops; those that `wirebench run` saves do", id));
  }
  if (latency->overflow > 0) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' holds {} latencies above its histogram's limit, which .hgrm cannot show", id,
                    latency->overflow));
  }
  const auto decoded = bench::decode_v2(latency->histogram_v2);
  if (!decoded.ok()) {
    return absl::DataLossError(
        fmt::format("the histogram of '{}': {}", id, std::string(decoded.status().message())));
  }
  return bench::hgrm(*decoded);
}

/// A way to show a result that takes nothing but the result.
template <std::string (*Render)(const bench::result&)>
rendered plainly(const bench::result& measured, const report_options& /*options*/) {
  return Render(measured);
}

struct format {
  const char* name;
  const char* summary;
  rendered (*render)(const bench::result& measured, const report_options& options);
  bool of_one_cell = false;
};

constexpr format formats[] = {
    {"terminal", "the report that the run printed", terminal},
    {"markdown", "its tables and sentences for an issue or a wiki", plainly<bench::report_markdown>},
    {"csv", "one line per cell", plainly<bench::cells_csv>},
    {"csv-comparisons", "one line per comparison", plainly<bench::comparisons_csv>},
    {"csv-rounds", "one line per round", plainly<bench::rounds_csv>},
    {"values", "a cell's rounds as ministat reads them, in ns per op", values, true},
    {"ministat", "the block that ministat prints, for every comparison", plainly<bench::report_ministat>},
    {"mongo-bench", "of `docs`, the columns of the mongo_bench of 2013", mongo_bench},
    {"hgrm", "a cell's latencies as HdrHistogram's percentile distribution, in us", histogram, true},
    {"gbench", "Google Benchmark's JSON, for its compare.py", plainly<bench::report_gbench>},
};

const format* find_format(const std::string& name) {
  const auto* found = std::find_if(std::begin(formats), std::end(formats),
                                   [&](const format& one) { return one.name == name; });
  return found == std::end(formats) ? nullptr : found;
}

std::string check_format(const std::string& name) {
  if (find_format(name) != nullptr) return {};
  std::vector<std::string> names;
  for (const auto& one : formats) names.emplace_back(one.name);
  return fmt::format("there is no format '{}'; there are {}", name, fmt::join(names, ", "));
}

absl::Status show(const report_options& options) {
  const auto& form = *find_format(options.format);
  if (!options.cell.empty() && !form.of_one_cell) {
    return absl::InvalidArgumentError(fmt::format(
        "--format {} shows every cell: leave --cell out, or add --format values or hgrm", options.format));
  }
  const auto measured = load(options.file);
  if (!measured.ok()) return measured.status();
  const auto text = form.render(*measured, options);
  if (!text.ok()) return text.status();
  if (!options.output.empty()) return write_file(options.output, *text);
  fmt::print("{}", *text);
  return absl::OkStatus();
}

std::string help() {
  std::string text =
      "Shows a saved result, as the run that measured it did or in a form that other tools read.\n\n"
      "  wirebench report result.json\n"
      "  wirebench report result.json --format markdown -o result.md\n"
      "  wirebench report result.json --format values --cell ping/tcp0/raw | ministat\n\n"
      "Formats:";
  for (const auto& one : formats) text += fmt::format("\n  {:<16} {}", one.name, one.summary);
  return text;
}

}  // namespace

void add_report(CLI::App& program, int& code) {
  auto options = std::make_shared<report_options>();
  auto* command = program.add_subcommand("report", help());
  command->add_option("file", options->file, "a result that was saved")->required()->type_name("FILE");
  command->add_option("--format", options->format, "how to show it")
      ->check(check_format)
      ->type_name("FORMAT")
      ->capture_default_str();
  command->add_option("--cell", options->cell, "the cell, for formats that show one")->type_name("ID");
  command->add_option("-o,--output", options->output, "write here, not to the standard output")
      ->type_name("FILE");
  command->callback([options, &code] { code = report(show(*options)); });
}

}  // namespace tools
