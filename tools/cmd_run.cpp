// wirebench run: a tight loop of one op, or of a mix.

#include "tools/commands.hpp"
#include "tools/options.hpp"
#include "tools/tight_loop.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace tools {
namespace {

constexpr std::uint64_t many = 1'000'000'000'000;

constexpr auto help =
    "Runs one op of one client again and again, or a mix of ops, and tells throughput, latency and cost. "
    "Without --rate the\n"
    "loop is closed: the next op starts when the last one ends, and what is told is service time.\n\n"
    "  wirebench run select1\n"
    "  wirebench run ping --client libmongoc --connections 4 --duration 30 --progress\n"
    "  wirebench run select_param --real pg --rate 2000\n"
    "  wirebench run --sql 'SELECT abalance FROM pgbench_accounts WHERE aid = $1' --param int4:1..100000 "
    "--real postgresql:///test\n"
    "  wirebench run ping --connections 64 --io epoll\n"
    "  wirebench run select_param@9 insert_row@1 --real postgresql://me@127.0.0.1/test --count 100000";

CLI::Option* add_number(CLI::App& command, const std::string& flags, std::uint64_t& number,
                        std::uint64_t most, const std::string& help_text) {
  return command.add_option(flags, number, help_text)
      ->check(CLI::Range(std::uint64_t{1}, most))
      ->type_name("N");
}

/// Which ops, through which client, to whom.
void add_subject(CLI::App& command, run_options& options) {
  command
      .add_option("op", options.ops,
                  "ops of `wirebench ladder --list`, with weights: select_param@9 insert_row@1")
      ->delimiter(',')
      ->type_name("OP[@WEIGHT]");
  command.add_option("--client", options.client, "raw, libpq, libmongoc or floor")
      ->check(CLI::IsMember({"raw", "libpq", "libmongoc", "floor"}))
      ->capture_default_str();
  command.add_option("--real", options.against, "against `pg`, `mongo` or a URI instead of the null server")
      ->type_name("SERVER");
}

/// A statement of the user's own.
void add_statement(CLI::App& command, run_options& options) {
  auto* sql = command.add_option("--sql", options.sql, "PostgreSQL: one statement of your own, the op `sql`")
                  ->type_name("TEXT");
  command.add_option("--param", options.parameters, "its $1, $2 ..: whole numbers, uniform: int4:1..100000")
      ->needs(sql)
      ->type_name("TYPE:LOW..HIGH");
  command.add_option("--mode", options.mode, "how it travels")
      ->check(CLI::IsMember({"simple", "extended", "prepared"}))
      ->needs(sql)
      ->capture_default_str();
}

void add_connections(CLI::App& command, run_options& options) {
  command.add_flag("--nagle", options.nagle,
                   "without TCP_NODELAY and in two writes, to see what a delayed ACK costs (raw alone)");
  add_number(command, "--connections", options.connections, 10'000, "how many connections")
      ->capture_default_str();
  command
      .add_option("--io", options.io,
                  "blocking: a thread per connection; epoll, uring: many connections on a thread (raw alone)")
      ->check(CLI::IsMember({"blocking", "epoll", "uring"}))
      ->capture_default_str();
  add_number(command, "--threads", options.threads, 1024,
             "with epoll and uring: deal the connections out among so many threads");
  add_number(command, "--pipeline", options.pipeline, 1000,
             "keep so many ops in flight on each connection (raw PostgreSQL alone)")
      ->capture_default_str();
  add_number(command, "--reconnect-every", options.reconnect_every, many,
             "renew each connection after so many ops");
}

/// For how long, when each op is due, and when it counts as failed or late.
void add_schedule(CLI::App& command, run_options& options) {
  auto* duration = add_seconds(command, "--duration", options.duration_s, 0.001,
                               "measure for so long, warm-up not included");
  add_number(command, "--count", options.count, many, "measure so many ops instead")->excludes(duration);
  add_seconds(command, "--warm-up", options.warm_up_s, 0, "run for so long before anything is recorded");
  auto* rate =
      command
          .add_option("--rate", options.rate,
                      "open loop: so many ops are due per second, whatever becomes of those before them")
          ->check(CLI::Range(0.001, 1e8))
          ->type_name("OPS");
  command.add_option("--arrivals", options.arrivals, "how they are spaced")
      ->check(CLI::IsMember({"poisson", "fixed"}))
      ->needs(rate)
      ->capture_default_str();
  add_number(command, "--max-tries", options.max_tries, 1000,
             "try an op again that the server refused for a reason that passes (40001, 40P01)");
  command
      .add_option("--latency-limit", options.latency_limit_ms, "count the ops that take more ms than that")
      ->check(CLI::PositiveNumber)
      ->type_name("MS");
  add_seed(command, options.seed, "of the mix and of Poisson arrivals");
}

}  // namespace

void add_run(CLI::App& program, const std::vector<std::string>& command_line, int& code) {
  auto options = std::make_shared<run_options>();
  options->command_line = command_line;
  auto* command = program.add_subcommand("run", help);
  add_subject(*command, *options);
  add_statement(*command, *options);
  add_connections(*command, *options);
  add_schedule(*command, *options);
  auto* cpu = add_cpu(*command, options->cpu);
  add_timeout(*command, options->timeout_s);
  command->add_flag("--progress", options->progress, "a line each second on stderr; with --json an object");
  add_output(*command, options->output);
  command->callback([options, cpu, &code] {
    options->pinned = cpu->count() > 0;
    code = run_tight_loop(*options);
  });
}

}  // namespace tools
