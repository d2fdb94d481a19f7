// wirebench ladder: the main job.

#include "fixtures/null_server.hpp"

#include "tools/commands.hpp"
#include "tools/counting.hpp"
#include "tools/exit_code.hpp"
#include "tools/ladder_run.hpp"
#include "tools/options.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace tools {
namespace {

constexpr auto help =
    "Measures ops on every rung: bare sockets, the raw client in memory, over UNIX and over TCP, and the "
    "driver,\n"
    "all against null servers, and with --real against a real server too. Rounds are interleaved and "
    "compared\n"
    "in pairs, with both sides on one cpu. Against a real server the null server is also made to take its "
    "time, until\n"
    "it is as slow: that is the server's time, and whether all adds up is said.\n\n"
    "  wirebench ladder --budget 10\n"
    "  wirebench ladder --op ping,select1 --precision 0.5%\n"
    "  wirebench ladder --op select_param --real pg\n"
    "  wirebench ladder --op ping --real null:200us      a server whose time is known\n"
    "  wirebench ladder --op ping --rung tcp0,tcpD,tcpDs --service-time 50us,200us,1ms\n"
    "  wirebench ladder --op ping --count all\n"
    "  wirebench ladder --op ping --processes 8 --budget 40\n"
    "  wirebench ladder --op insert_one --real mongodb://127.0.0.1:27017/ --json";

int list_ops() {
  for (const auto& one : bench::op_set()) {
    fmt::print("{:<14} {:<8} {:<10} {}\n", one.name,
               one.protocol == wire::protocol::mongo ? "MongoDB" : "PostgreSQL", one.driver, one.summary);
  }
  return success;
}

std::string check_op(const std::string& name) {
  if (bench::find_op(name) != nullptr) return {};
  std::vector<std::string> names;
  for (const auto& one : bench::op_set()) names.push_back(one.name);
  return fmt::format("there is no op '{}'; there are {}", name, fmt::join(names, ", "));
}

std::string check_rung(const std::string& name) {
  for (const std::string rung : bench::rungs) {
    if (name == rung) return {};
  }
  return fmt::format("there is no rung '{}'; there are {}", name, fmt::join(bench::rungs, ", "));
}

bool speaks_mongo(const std::string& op) {
  return bench::find_op(op)->protocol == wire::protocol::mongo;
}

/// An option that would change nothing is a slip of whoever gave it.
absl::Status check_effect(const CLI::App& command, const ladder_options& options) {
  const auto& ops = options.ops;
  const auto& rungs = options.rungs;
  if (auto status = check_profile(command, ops.empty() || std::any_of(ops.begin(), ops.end(), speaks_mongo));
      !status.ok())
    return status;
  for (const auto* waiting : {"--service-time", "--delay-mode"}) {
    if (command.count(waiting) == 0 || options.makes_null_wait()) continue;
    return absl::InvalidArgumentError(
        fmt::format("{} is for the rung tcpD, which is not measured here: add it to --rung, or leave {} out",
                    waiting, waiting));
  }
  const auto counted = [](const std::string& rung) { return counted_rungs.contains(rung); };
  if (!options.counts.empty() && !rungs.empty() && std::none_of(rungs.begin(), rungs.end(), counted)) {
    return absl::InvalidArgumentError(
        fmt::format("--count counts on {}: add one of them to --rung, or leave --count out",
                    fmt::join(counted_rungs, ", ")));
  }
  return absl::OkStatus();
}

int measure(const CLI::App& command, const ladder_options& options) {
  if (auto status = check_effect(command, options); !status.ok()) return report(status);
  return run_ladder(options);
}

/// Ops, rungs, servers, and what is counted.
void add_subject(CLI::App& command, ladder_options& options) {
  command.add_option("--op", options.ops, "ops, separated by commas; all if not given")
      ->delimiter(',')
      ->check(check_op)
      ->type_name("OP");
  command
      .add_option("--rung", options.rungs,
                  fmt::format("rungs, separated by commas; if not given {}, and\nwith --real all but tcpDs",
                              fmt::join(bench::default_rungs(false), ",")))
      ->delimiter(',')
      ->check(check_rung)
      ->type_name("RUNG");
  command
      .add_option("--real", options.against,
                  "a real server as well: `pg` (a temporary PostgreSQL), `mongo` (SecantusDB), `null:200us` "
                  "(a null\n"
                  "server that takes so long), or a URI;\n"
                  "may be given once per protocol")
      ->type_name("SERVER");
  command
      .add_option("--count", options.counts,
                  "after the timed rounds, in passes of their own, separated by commas: memory, heap,\n"
                  "syscalls, instructions (the slow one: some 10 s per op), or all")
      ->delimiter(',')
      ->check(check_kind)
      ->type_name("KIND");
  add_profile(command, options.profile);
}

/// How long, in how many processes, how exactly.
void add_method(CLI::App& command, ladder_options& options) {
  add_seconds(command, "--budget", options.budget_s, 0.1, "seconds per op, warm-up included");
  command
      .add_option("--processes", options.processes,
                  "share the budget among so many fresh processes, each with a layout of its own; from 8 on\n"
                  "intervals are taken over them")
      ->check(CLI::Range(1, 1000))
      ->type_name("P")
      ->capture_default_str();
  add_share(command, "--precision", options.precision,
            "end an op earlier, when the driver / raw interval is so narrow on either side (1%)")
      ->type_name("SHARE");
  add_share(command, "--delta", options.delta, "differences within this share count as equivalent (2%)")
      ->type_name("SHARE");
  add_seed(command, options.seed, "of the order of rounds");
  add_cpu(command, options.cpu);
  add_timeout(command, options.timeout_s);
}

/// What the null server takes on the rung tcpD.
void add_waiting(CLI::App& command, ladder_options& options) {
  add_durations(command, "--service-time", options.service_times, fixtures::longest_service_time,
                "what the null server takes per request on rung tcpD (50us,200us,1ms); near the real\n"
                "server's time it gets two more");
  command
      .add_option("--delay-mode", options.delay_mode,
                  "how it passes that time: spin, busy like a server that works, or sleep")
      ->check(CLI::IsMember({"spin", "sleep"}))
      ->capture_default_str();
}

}  // namespace

void add_ladder(CLI::App& program, const std::vector<std::string>& command_line, int& code) {
  auto options = std::make_shared<ladder_options>();
  options->command_line = command_line;
  auto* command = program.add_subcommand("ladder", help);
  add_subject(*command, *options);
  add_method(*command, *options);
  add_waiting(*command, *options);
  add_output(*command, options->output);
  command->add_flag("--strict", options->strict,
                    "exit code 4 when an attribution does not close or a driver's overhead is inconclusive");
  command->add_flag("--list", options->list, "name the ops and end");
  command->callback(
      [command, options, &code] { code = options->list ? list_ops() : measure(*command, *options); });
}

}  // namespace tools
