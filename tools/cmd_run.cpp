// wirebench run: a tight loop of one op, or of a mix.

#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libpq.hpp"
#include "bench/environment.hpp"
#include "bench/ladder.hpp"
#include "bench/load/findings.hpp"
#include "bench/load/open_session.hpp"
#include "bench/load/runner.hpp"
#include "bench/placement.hpp"
#include "bench/report_console.hpp"
#include "bench/report_json.hpp"

#include "tools/commands.hpp"
#include "tools/exit_code.hpp"
#include "tools/load_progress.hpp"
#include "tools/mix_option.hpp"
#include "tools/options.hpp"
#include "tools/peers.hpp"
#include "tools/result_file.hpp"
#include "tools/stop_flag.hpp"
#include "tools/uring_program.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace tools {
namespace {

struct run_options {
  std::vector<std::string> ops;
  std::string sql;
  std::vector<std::string> parameters;
  std::string mode = "prepared";
  std::string client = "raw";
  std::string against;
  std::string io = "blocking";
  std::uint64_t connections = 1;
  std::uint64_t threads = 0;
  std::uint64_t pipeline = 1;
  bool nagle = false;
  double duration_s = 10;
  double warm_up_s = 1;
  std::uint64_t count = 0;
  double rate = 0;
  std::string arrivals = "poisson";
  std::uint64_t max_tries = 1;
  std::uint64_t reconnect_every = 0;
  double latency_limit_ms = 0;
  std::uint64_t seed = 1;
  int cpu = 0;
  bool pinned = false;
  double timeout_s = 10;
  bool progress = false;
  std::string output;
  bool json = false;
  bool quiet = false;
  std::vector<std::string> command_line;
};

std::int64_t ns(double seconds) {
  return std::llround(seconds * 1e9);
}

class tight_loop {
 public:
  explicit tight_loop(const run_options& options) : options_(options) {}

  int whole();

 private:
  absl::Status prepare();
  absl::Status prepare_io();
  absl::Status check_pipeline() const;
  absl::Status start_peer();
  absl::StatusOr<bench::load::session_options> session() const;
  absl::Status change_server(absl::Status (*change)(const bench::op&, const bench::peer&, wire::watchdog&));
  bench::labels labels() const;
  bench::result as_result(bench::load::outcome came) const;
  absl::Status show(const bench::result& measured) const;

  const run_options& options_;
  const std::atomic<bool>& stop_ = stop_flag();
  bench::load::plan plan_;
  wire::protocol protocol_ = wire::protocol::pg;
  std::unique_ptr<bench::peer> peer_;
  std::optional<wire::watchdog> dog_;
};

/// The peer comes first: it is forked, which must happen before there are threads.
int tight_loop::whole() {
  if (auto status = prepare(); !status.ok()) return report(status);
  if (auto status = change_server(bench::set_up_server); !status.ok()) return report(status);
  auto came = bench::load::run(plan_);
  auto status = came.status;
  if (status.ok() && came.measured.load->ops == 0 && !stop_)
    status = absl::UnavailableError("no op was completed; the errors above say why");
  const auto shown = show(as_result(std::move(came)));
  status.Update(change_server(bench::clean_up_server));
  if (!status.ok()) return report(status);
  if (!shown.ok()) return report(shown);
  return stop_ ? interrupted : success;
}

absl::Status tight_loop::prepare() {
  auto words = options_.ops;
  if (words.empty() && !options_.sql.empty()) words.emplace_back(bench::workloads::sql_op);
  if (words.empty())
    return absl::InvalidArgumentError(
        "name an op of `wirebench ladder --list`, or give a statement with --sql");
  auto mix = parse_mix(words, !options_.sql.empty());
  if (!mix.ok()) return mix.status();
  plan_.mix = *std::move(mix);
  protocol_ = find_mixed_op(plan_.mix.front().name)->protocol;
  if (auto status = prepare_io(); !status.ok()) return status;
  plan_.warm_up_ns = ns(options_.warm_up_s);
  if (options_.count > 0) {
    plan_.count = options_.count;
  } else {
    plan_.duration_ns = ns(options_.duration_s);
  }
  if (options_.rate > 0) {
    const bool poisson = options_.arrivals == "poisson";
    plan_.open_loop = {options_.rate, poisson ? bench::load::spacing::poisson : bench::load::spacing::fixed};
  }
  plan_.seed = options_.seed;
  plan_.max_tries = options_.max_tries;
  plan_.reconnect_every = options_.reconnect_every;
  if (options_.latency_limit_ms > 0) plan_.latency_limit_ns = std::llround(options_.latency_limit_ms * 1e6);
  plan_.give_up_ns = ns(options_.timeout_s);
  plan_.stop = &stop_;
  if (options_.progress && !options_.quiet)
    plan_.on_second = [json = options_.json](const bench::load::second& last) { print_second(last, json); };
  if (auto status = bench::load::check(plan_); !status.ok()) return status;
  return start_peer();
}

/// Blocking, every connection has a thread of its own; else the connections are dealt out among the threads.
absl::Status tight_loop::prepare_io() {
  plan_.connections = options_.connections;
  plan_.threads = options_.threads;
  const bool blocking = options_.io == "blocking";
  if (plan_.threads == 0) plan_.threads = blocking ? plan_.connections : 1;
  if (plan_.threads > plan_.connections)
    return absl::InvalidArgumentError("more threads than connections: raise --connections");
  if (blocking && plan_.threads != plan_.connections)
    return absl::InvalidArgumentError(
        "blocking, every connection needs a thread of its own: leave --threads out, or add --io epoll");
  if (!blocking && options_.client != "raw")
    return absl::InvalidArgumentError(
        fmt::format("{} blocks by itself: --io {} is for the raw client", options_.client, options_.io));
  plan_.io = blocking ? wire::loop::kind::blocking : wire::loop::kind::reactor;
  if (options_.pinned || plan_.threads == 1) plan_.cpu = options_.cpu;
  plan_.pipeline = options_.pipeline;
  if (auto status = check_pipeline(); !status.ok()) return status;
  return options_.io == "uring" ? ensure_uring(options_.command_line) : absl::OkStatus();
}

/// Several ops in flight are one conversation: what happens between two ops has no place in it.
absl::Status tight_loop::check_pipeline() const {
  if (options_.pipeline == 1) return absl::OkStatus();
  if (protocol_ != wire::protocol::pg)
    return absl::InvalidArgumentError(
        "--pipeline is for PostgreSQL: a MongoDB server answers one request at a time");
  if (plan_.mix.front().name == "lowrite_256k")
    return absl::InvalidArgumentError(
        "lowrite_256k works inside a transaction of its own and cannot be pipelined");
  if (options_.rate > 0 || options_.reconnect_every > 0 || options_.max_tries > 1) {
    return absl::InvalidArgumentError(
        "--pipeline sends the next op when one is answered: leave --rate, --reconnect-every and --max-tries "
        "out");
  }
  return absl::OkStatus();
}

absl::StatusOr<bench::load::session_options> tight_loop::session() const {
  bench::load::session_options to{.client = options_.client};
  for (const auto& each : plan_.mix) to.ops.push_back(each.name);
  to.depth = options_.pipeline;
  to.delay = options_.nagle ? wire::nagle::on : wire::nagle::off;
  if (options_.sql.empty()) return to;
  auto& own = to.own.emplace();
  own.text = options_.sql;
  own.seed = options_.seed;
  using bench::workloads::query_mode;
  own.mode = options_.mode == "simple"     ? query_mode::simple
             : options_.mode == "extended" ? query_mode::extended
                                           : query_mode::prepared;
  for (const auto& word : options_.parameters) {
    const auto parameter = parse_parameter(word);
    if (!parameter.ok()) return parameter.status();
    own.parameters.push_back(*parameter);
  }
  return to;
}

absl::Status tight_loop::start_peer() {
  const auto how = session();
  if (!how.ok()) return how.status();

  if (!options_.against.empty()) {
    const auto fits = speaks(options_.against, protocol_);
    if (!fits.ok()) return fits.status();
    if (!*fits) {
      return absl::InvalidArgumentError(
          fmt::format("--real names a server that does not speak {}'s protocol", plan_.mix.front().name));
    }
  }
  const std::chrono::milliseconds timeout(std::llround(options_.timeout_s * 1000));
  auto started = options_.against.empty() ? start_null(protocol_, plan_.cpu)
                                          : start_real(options_.against, protocol_, options_.cpu, timeout);
  if (!started.ok()) return started.status();
  peer_ = *std::move(started);
  plan_.served_by = peer_.get();
  dog_.emplace(timeout);
  auto opener = bench::load::open_by(*how, *peer_, *dog_);
  if (!opener.ok()) return opener.status();
  plan_.open = *std::move(opener);
  return absl::OkStatus();
}

/// For the first op that needs data: the ops of one protocol share it.
absl::Status tight_loop::change_server(absl::Status (*change)(const bench::op&, const bench::peer&,
                                                              wire::watchdog&)) {
  if (options_.against.empty()) return absl::OkStatus();
  for (const auto& each : plan_.mix) {
    const auto* known = find_mixed_op(each.name);
    if (known->needs_data) return change(*known, *peer_, *dog_);
  }
  return absl::OkStatus();
}

/// The id names what differs from a plain loop, so that only what was asked alike is compared.
bench::labels tight_loop::labels() const {
  const auto op = mix_text(plan_.mix);
  auto id = fmt::format("{}/run/{}", op, options_.client);
  if (plan_.connections > 1) id += fmt::format("/{}-connections", plan_.connections);
  if (options_.io != "blocking") id += fmt::format("/{}-{}-threads", options_.io, plan_.threads);
  if (plan_.pipeline > 1) id += fmt::format("/pipeline-{}", plan_.pipeline);
  if (!options_.sql.empty()) id += "/" + options_.mode;
  if (options_.nagle) id += "/nagle";
  if (plan_.open_loop) id += fmt::format("/{:g}-per-s-{}", plan_.open_loop->rate, options_.arrivals);
  if (plan_.reconnect_every > 0) id += fmt::format("/reconnect-{}", plan_.reconnect_every);
  return {.id = std::move(id),
          .op = op,
          .rung = "run",
          .client = options_.client,
          .peer = peer_->name(),
          .transport = "tcp",
          .placement = {}};
}

bench::result tight_loop::as_result(bench::load::outcome came) const {
  bench::result measured;
  measured.context = bench::read_environment(
      {{"libmongoc", bench::drivers::libmongoc_version()}, {"libpq", bench::drivers::libpq_version()}},
      options_.command_line);
  measured.clock = bench::calibrate_clock();
  measured.plan.seed = plan_.seed;
  measured.plan.cpu = plan_.cpu.value_or(-1);
  auto& cell = came.measured;
  const auto placed = cell.what.placement;
  cell.what = labels();
  cell.what.placement = placed;
  measured.warnings = bench::doubts(measured.context);
  for (auto& doubt : bench::load::doubts(cell)) measured.warnings.push_back(std::move(doubt));
  bench::drop_given_flags(measured.warnings, options_.command_line);
  measured.cells.push_back(std::move(cell));
  return measured;
}

absl::Status tight_loop::show(const bench::result& measured) const {
  const auto path = save(measured, "run", options_.output);  // before printing, which may fail too
  if (options_.json) {
    for (const auto& doubt : measured.warnings)
      fmt::print(stderr, "{} {}: {}\n", doubt.code, doubt.number, doubt.cause);
    fmt::print("{}", bench::report_json(measured));
  } else {
    const bool colour = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
    fmt::print("{}", bench::report_console(measured, colour));
  }
  std::fflush(stdout);
  if (!path.ok()) return path.status();
  fmt::print(options_.json ? stderr : stdout, "saved as {}\n", *path);
  return absl::OkStatus();
}

CLI::Option* add_number(CLI::App& command, const std::string& flags, std::uint64_t& number,
                        std::uint64_t most, const std::string& help) {
  return command.add_option(flags, number, help)->check(CLI::Range(std::uint64_t{1}, most))->type_name("N");
}

void add_load_options(CLI::App& command, run_options& options) {
  constexpr std::uint64_t many = 1'000'000'000'000;
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
  add_number(command, "--reconnect-every", options.reconnect_every, many,
             "renew each connection after so many ops");
  command
      .add_option("--latency-limit", options.latency_limit_ms, "count the ops that take more ms than that")
      ->check(CLI::PositiveNumber)
      ->type_name("MS");
  command.add_option("--seed", options.seed, "of the mix and of Poisson arrivals")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N")
      ->capture_default_str();
}

}  // namespace

void add_run(CLI::App& program, const std::vector<std::string>& command_line, int& code) {
  auto options = std::make_shared<run_options>();
  options->command_line = command_line;
  auto* command = program.add_subcommand(
      "run",
      "Runs one op of one client again and again, or a mix of ops, and tells throughput, latency and cost. "
      "Without --rate the\n"
      "loop is closed: the next op starts when the last one ends, and what is told is service time.\n\n"
      "  wirebench run select1\n"
      "  wirebench run ping --client libmongoc --connections 4 --duration 30 --progress\n"
      "  wirebench run select_param --real pg --rate 2000\n"
      "  wirebench run --sql 'SELECT abalance FROM pgbench_accounts WHERE aid = $1' --param int4:1..100000 "
      "--real postgresql:///test\n"
      "  wirebench run ping --connections 64 --io epoll\n"
      "  wirebench run select_param@9 insert_row@1 --real postgresql://me@127.0.0.1/test --count 100000");
  command
      ->add_option("op", options->ops,
                   "ops of `wirebench ladder --list`, with weights: select_param@9 insert_row@1")
      ->delimiter(',')
      ->type_name("OP[@WEIGHT]");
  command->add_option("--client", options->client, "raw, libpq, libmongoc or floor")
      ->check(CLI::IsMember({"raw", "libpq", "libmongoc", "floor"}))
      ->capture_default_str();
  command->add_option("--real", options->against, "against `pg`, `mongo` or a URI instead of the null server")
      ->type_name("SERVER");
  auto* sql =
      command->add_option("--sql", options->sql, "PostgreSQL: one statement of your own, the op `sql`")
          ->type_name("TEXT");
  command->add_option("--param", options->parameters, "its $1, $2 ..: whole numbers, uniform: int4:1..100000")
      ->needs(sql)
      ->type_name("TYPE:LOW..HIGH");
  command->add_option("--mode", options->mode, "how it travels")
      ->check(CLI::IsMember({"simple", "extended", "prepared"}))
      ->needs(sql)
      ->capture_default_str();
  command->add_flag("--nagle", options->nagle,
                    "without TCP_NODELAY and in two writes, to see what a delayed ACK costs (raw alone)");
  add_load_options(*command, *options);
  auto* cpu = add_cpu(*command, options->cpu);
  add_timeout(*command, options->timeout_s);
  command->add_flag("--progress", options->progress, "a line each second on stderr; with --json an object");
  command->add_option("-o,--output", options->output, "save the result here")->type_name("FILE");
  command->add_flag("--json", options->json, "print the result as JSON and nothing else");
  command->add_flag("--quiet", options->quiet, "no progress");
  command->callback([options, cpu, &code] {
    options->pinned = cpu->count() > 0;
    code = tight_loop(*options).whole();
  });
}

}  // namespace tools
