// wirebench compare: stored results side by side, and a gate for scripts.

#include "bench/report_comparison.hpp"

#include "tools/commands.hpp"
#include "tools/exit_code.hpp"
#include "tools/options.hpp"
#include "tools/output.hpp"
#include "tools/result_file.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace tools {
namespace {

struct compare_options {
  std::vector<std::string> files;
  double delta = 0.02;
  std::optional<double> fail_if_slower;  ///< by more than this share
  bool force = false;
  bool strict = false;
  bool json = false;
  bool quiet = false;
  std::string output;
};

class compare_run {
 public:
  explicit compare_run(const compare_options& options) : options_(options) {}

  int whole();

 private:
  absl::Status load_all();
  absl::Status compare_all();
  absl::Status check(const bench::comparison_report& one) const;
  absl::Status show() const;
  std::string gate_lines(const bench::comparison_report& one) const;
  std::vector<const bench::compared_row*> regressions(const bench::comparison_report& one) const;
  bool regressed() const;
  bool conclusive() const;

  const compare_options& options_;
  std::vector<bench::result> results_;
  std::vector<bench::comparison_report> reports_;
};

/// "slower" or "slower:5%".
double condition_of(const std::string& text) {
  if (text == "slower") return 0;
  const auto share = text.starts_with("slower:") ? share_of(text.substr(7)) : std::nullopt;
  if (!share)
    throw CLI::ValidationError("--fail-if", fmt::format("'{}' is not a condition such as slower:5%", text));
  return *share;
}

int compare_run::whole() {
  for (const auto step : {&compare_run::load_all, &compare_run::compare_all}) {
    if (auto status = (this->*step)(); !status.ok()) return report(status);
  }
  if (auto status = show(); !status.ok()) return report(status);
  if (regressed()) return regression;
  return options_.strict && !conclusive() ? inconclusive : success;
}

absl::Status compare_run::load_all() {
  for (const auto& file : options_.files) {
    auto measured = load(file);
    if (!measured.ok()) return measured.status();
    results_.push_back(*std::move(measured));
  }
  return absl::OkStatus();
}

absl::Status compare_run::compare_all() {
  const auto named = [this](std::size_t i) {
    return bench::named_result{.name = options_.files[i], .measured = &results_[i]};
  };
  for (std::size_t i = 1; i < results_.size(); ++i) {
    reports_.push_back({.a = named(0),
                        .b = named(i),
                        .found = bench::compare_results(results_[0], results_[i], options_.delta)});
    if (auto status = check(reports_.back()); !status.ok()) return status;
  }
  return absl::OkStatus();
}

/// What was measured otherwise is not compared unless forced.
absl::Status compare_run::check(const bench::comparison_report& one) const {
  if (one.found.times.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' and '{}' have no cell in common", one.a.name, one.b.name));
  }
  const auto& differs = one.found.parameters;
  if (differs.empty() || options_.force) return absl::OkStatus();
  const auto others = differs.size() == 1 ? "" : fmt::format(" (and {} cells more)", differs.size() - 1);
  return absl::InvalidArgumentError(fmt::format(
      "'{}' and '{}' were measured with different parameters: {}{}; --force shows them all the same",
      one.a.name, one.b.name, differs.front(), others));
}

absl::Status compare_run::show() const {
  const auto json = bench::comparison_json(reports_);
  if (!options_.output.empty()) {
    if (auto status = write_file(options_.output, json); !status.ok()) return status;
  }
  if (options_.quiet) return absl::OkStatus();
  if (options_.json) {
    fmt::print("{}", json);
    return absl::OkStatus();
  }
  for (const auto& one : reports_) {
    fmt::print("{}", bench::report_comparison(one, stdout_takes_colour()));
    if (options_.fail_if_slower) fmt::print("{}\n", gate_lines(one));
  }
  return absl::OkStatus();
}

std::string compare_run::gate_lines(const bench::comparison_report& one) const {
  const auto& rows = one.found.leading();
  const auto found = regressions(one);
  auto lines = fmt::format("  slower by more than {:g} %: {} of {} {}\n", 100 * *options_.fail_if_slower,
                           found.size(), rows.size(), one.found.ratios_lead ? "ratios" : "times");
  for (const auto* row : found) {
    lines += fmt::format("  regression: {} is {:.3f} times what it was, at least {:.3f}\n", row->title,
                         row->found->ratio, row->found->bounds->lo);
  }
  return lines;
}

std::vector<const bench::compared_row*> compare_run::regressions(const bench::comparison_report& one) const {
  if (!options_.fail_if_slower) return {};
  return bench::slower_by_more(one.found, *options_.fail_if_slower);
}

bool compare_run::regressed() const {
  return std::any_of(reports_.begin(), reports_.end(),
                     [this](const auto& one) { return !regressions(one).empty(); });
}

bool compare_run::conclusive() const {
  return std::all_of(reports_.begin(), reports_.end(),
                     [](const auto& one) { return bench::is_conclusive(one.found); });
}

constexpr auto help =
    "Compares results that were saved: every file with the first one. Not in pairs, so with harder rules "
    "than\n"
    "one run has: of each cell the times, and the paired ratios that each file holds, which travel between\n"
    "machines. The table on top is what --fail-if and --strict look at: times, or ratios where the machine "
    "is\n"
    "another one or did not stay the same.\n\n"
    "  wirebench compare before.json after.json\n"
    "  wirebench compare before.json after.json --fail-if slower:5%      a gate: 3 on a regression\n"
    "  wirebench compare before.json a.json b.json --json\n\n"
    "Exit codes: 0 nothing found, 2 not comparable, 3 regression, 4 inconclusive with --strict, 5 not a "
    "result.";

/// What is compared, and what makes a failure of it.
void add_judgement(CLI::App& command, compare_options& options) {
  command.add_option("files", options.files, "results, the first one is what the others are compared with")
      ->required()
      ->expected(2, -1)
      ->type_name("FILE");
  add_share(command, "--delta", options.delta, "changes within this share count as equivalent (2%)")
      ->type_name("SHARE");
  command
      .add_option_function<std::string>(
          "--fail-if", [&options](const std::string& text) { options.fail_if_slower = condition_of(text); },
          "end with 3 when a row is slower, with its whole interval: `slower`, or by more than a share:\n"
          "`slower:5%`")
      ->type_name("CONDITION");
  command.add_flag("--strict", options.strict,
                   "end with 4 when a row has no clear verdict or a cell of the first file is missing");
  command.add_flag("--force", options.force,
                   "show cells whose parameters differ, without a verdict, instead of refusing");
}

}  // namespace

void add_compare(CLI::App& program, int& code) {
  auto options = std::make_shared<compare_options>();
  auto* command = program.add_subcommand("compare", help);
  add_judgement(*command, *options);
  command->add_option("-o,--output", options->output, "save the comparison here, as JSON")->type_name("FILE");
  command->add_flag("--json", options->json, "print the comparison as JSON and nothing else");
  command->add_flag("--quiet", options->quiet, "print nothing; the exit code tells");
  command->callback([options, &code] { code = compare_run(*options).whole(); });
}

}  // namespace tools
