// wirebench loop: one op of one client again and again and nothing else, for callgrind and strace. Two runs of different
// length, subtracted, leave the cost per op.

#include "bench/counting/self_count.hpp"
#include "bench/ladder.hpp"
#include "bench/placement.hpp"

#include "tools/commands.hpp"
#include "tools/counting.hpp"
#include "tools/exit_code.hpp"
#include "tools/options.hpp"
#include "tools/peers.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

namespace tools {
namespace {

struct loop_options {
  std::string client;
  std::string op;
  std::uint64_t ops = 0;
  std::string against;
  std::string rung;
  std::string profile = "standalone";
  std::uint64_t warm_up = 0;
  bool counts = false;
  int cpu = 0;
  double timeout_s = 10;
};

/// The rung of the ladder that has this client; raw stands on tcp0.
std::string rung_of(const loop_options& options) {
  if (!options.rung.empty()) return options.rung;
  if (options.client == "floor") return "floor";
  if (!options.against.empty()) return "real";
  return options.client == "raw" ? "tcp0" : "driver";
}

absl::StatusOr<bench::cell_plan> find_cell(const bench::op& what, const loop_options& options,
                                           bench::ladder_peers peers, wire::watchdog& dog) {
  for (auto& cell : bench::plan_ladder(what, {rung_of(options)}, peers, dog)) {
    if (cell.what.client == options.client) return cell;
  }
  if (!options.rung.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("{} does not stand on the rung {} of {}", options.client, options.rung, what.name));
  }
  return absl::InvalidArgumentError(
      fmt::format("{} has no op '{}'; its driver is {}", options.client, what.name, what.driver));
}

absl::Status run_ops(const bench::cell_plan& cell, const loop_options& options) {
  auto work = cell.open();
  if (!work.ok()) return work.status();
  if (auto status = (*work)->before(); !status.ok()) return status;
  if (auto status = (*work)->run(options.warm_up); !status.ok()) return status;
  if (!options.counts) {
    if (auto status = (*work)->run(options.ops); !status.ok()) return status;
    return (*work)->after();
  }
  const auto counts = bench::counting::run_counted(**work, options.ops);
  if (!counts.ok()) return counts.status();
  fmt::print("{}", bench::counting::to_text(*counts));
  return (*work)->after();
}

absl::Status loop(const CLI::App& command, const loop_options& options) {
  const auto* what = bench::find_op(options.op);
  if (what == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("there is no op '{}'; `wirebench ladder --list` names them", options.op));
  }
  if (auto status = check_profile(command, what->protocol == wire::protocol::mongo); !status.ok())
    return status;
  const std::chrono::milliseconds timeout(static_cast<std::int64_t>(options.timeout_s * 1000));
  const auto profile = *fixtures::mongo_profile_named(options.profile);
  auto null = start_null(what->protocol, options.cpu, profile);
  if (!null.ok()) return null.status();
  bench::ladder_peers peers{.null = null->get()};
  std::unique_ptr<bench::peer> real;
  if (!options.against.empty()) {
    auto started = start_real(options.against, what->protocol, options.cpu, timeout, profile);
    if (!started.ok()) return started.status();
    real = *std::move(started);
    peers.real = real.get();
  }
  wire::watchdog dog{timeout};
  const auto cell = find_cell(*what, options, peers, dog);
  if (!cell.ok()) return cell.status();
  const auto pinned = bench::pinned_thread::to(options.cpu);
  if (!pinned.ok()) return pinned.status();
  if (real == nullptr) return run_ops(*cell, options);

  if (auto status = bench::set_up_server(*what, *real, dog); !status.ok()) return status;
  auto status = run_ops(*cell, options);
  status.Update(bench::clean_up_server(*what, *real, dog));
  return status;
}

}  // namespace

void add_loop(CLI::App& program, int& code) {
  auto options = std::make_shared<loop_options>();
  auto* command = program.add_subcommand(
      "loop",
      "Runs one op of one client N times and prints nothing: a bare loop for callgrind and strace. With "
      "--counts it\nprints what it can count about itself.\n\n"
      "  valgrind --tool=callgrind build/tools/wirebench loop raw ping 1200\n"
      "  strace -c -f build/tools/wirebench loop libpq select1 1000\n"
      "  LD_PRELOAD=build/tools/libwirebench_malloc_probe.so \\\n"
      "    build/tools/wirebench loop libmongoc ping 16 --warm-up 200 --counts");
  command->add_option("client", options->client, "floor, raw, libmongoc or libpq")
      ->required()
      ->check(CLI::IsMember({"floor", "raw", "libmongoc", "libpq"}));
  command->add_option("op", options->op, "an op of `wirebench ladder --list`")->required();
  command->add_option("ops", options->ops, "how often")->required()->check(CLI::PositiveNumber);
  command->add_option("--real", options->against,
                      "against `pg`, `mongo` or a URI instead of the null server");
  command->add_option("--rung", options->rung, "where the client stands; raw also stands on mem and unix")
      ->check(CLI::IsMember(counted_rungs))
      ->type_name("RUNG");
  command->add_option("--warm-up", options->warm_up, "ops before those N")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  command->add_flag("--counts", options->counts,
                    "print peak memory, payload copies, instructions where perf_event counts them, and the\n"
                    "heap where the malloc probe is loaded");
  add_profile(*command, options->profile);
  add_cpu(*command, options->cpu);
  add_timeout(*command, options->timeout_s);
  command->callback([command, options, &code] { code = report(loop(*command, *options)); });
}

}  // namespace tools
