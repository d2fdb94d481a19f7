#include "tools/ladder_processes.hpp"

#include "bench/environment.hpp"
#include "bench/findings.hpp"

#include "tools/ladder_result.hpp"
#include "tools/replication.hpp"
#include "tools/stop_flag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "absl/status/statusor.h"

namespace tools {
namespace {

/// Everything but a process's own share, place and form of output.
std::vector<std::string> shared_arguments(const std::vector<std::string>& command_line) {
  static const std::set<std::string> with_value{"--processes", "--count", "--seed",
                                                "--budget",    "-o",      "--output"};
  static const std::set<std::string> flags{"--json", "--quiet", "--strict"};
  std::vector<std::string> kept;
  for (std::size_t i = 2; i < command_line.size(); ++i) {  // behind "wirebench ladder"
    const auto& word = command_line[i];
    const auto name = word.starts_with("-o") ? "-o" : word.substr(0, word.find('='));
    if (with_value.contains(name)) {
      i += name == word;  // its value is a word of its own
    } else if (!flags.contains(word)) {
      kept.push_back(word);
    }
  }
  return kept;
}

bool finds_server_time(const std::string& rung) {
  return rung == "tcpD" || rung == "tcpDs" || rung == "reals" || rung == "realt";
}

/// Server time is read off null servers whose service times each process would choose anew: its rungs are left out.
absl::StatusOr<std::vector<std::string>> arguments_for(const ladder_options& options) {
  auto arguments = shared_arguments(options.command_line);
  if (options.against.empty()) return arguments;
  if (std::any_of(options.rungs.begin(), options.rungs.end(), finds_server_time)) {
    return absl::InvalidArgumentError(
        "server time is found in one process: leave --processes out, or tcpD and the rungs behind `real`");
  }
  if (options.rungs.empty()) {
    auto rungs = bench::default_rungs(true);
    std::erase_if(rungs, finds_server_time);
    arguments.insert(arguments.end(), {"--rung", fmt::format("{}", fmt::join(rungs, ","))});
  }
  return arguments;
}

/// What is not of one op: of the first process, but for what the whole was asked for.
void take_frame(bench::result& from, const ladder_options& options, bench::result& to) {
  to.context = std::move(from.context);
  for (auto& [key, value] : to.context) {
    if (key == "command") value = bench::shown_command(options.command_line);
  }
  to.clock = from.clock;
  to.plan = {.seed = options.seed, .cpu = options.cpu, .delta = options.delta, .ops = {}};
  // What one process's rounds said against themselves, those of all of them say anew.
  std::erase_if(from.warnings,
                [](const bench::warning& doubt) { return !doubt.op.empty() && doubt.code != "W-PLACEMENT"; });
  to.warnings = std::move(from.warnings);
}

void take_ops(bench::result& from, const ladder_options& options, bench::result& to) {
  auto facts = facts_without_server(to);
  facts.mode = options.mode();
  for (auto& op : from.plan.ops) {
    bench::run_outcome outcome{.status = {}, .cells = {}, .plan = std::move(op), .warnings = {}};
    for (auto& one : from.cells) {
      if (one.what.op == outcome.plan.op) outcome.cells.push_back(std::move(one));
    }
    for (auto& one : outcome.cells) bench::summarize(one);
    outcome.warnings = bench::findings(outcome.cells, outcome.plan, to.plan.cpu);
    append_op(to, std::move(outcome), facts);
  }
}

}  // namespace

absl::Status measure_in_processes(const ladder_options& options, const chosen_ops& ops, progress_bar& bar,
                                  bench::result& result) {
  const auto arguments = arguments_for(options);
  if (!arguments.ok()) return arguments.status();
  const double share_s = options.budget_s / static_cast<double>(options.processes);
  auto measured = run_replicated(
      {.processes = options.processes,
       .seed = options.seed,
       .arguments = *arguments,
       .budget_s = options.budget_s,
       .expected_s = share_s * static_cast<double>(ops.size()),
       .stop = &stop_flag(),
       .on_progress = [&bar](double share, const std::string& what) { bar.show(share, what); }});
  take_frame(measured.result, options, result);
  take_ops(measured.result, options, result);
  return measured.status;
}

}  // namespace tools
