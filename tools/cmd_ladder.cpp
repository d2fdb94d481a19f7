// wirebench ladder: the main job.

#include "bench/compare.hpp"
#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libpq.hpp"
#include "bench/environment.hpp"
#include "bench/ladder.hpp"
#include "bench/report_console.hpp"
#include "bench/report_json.hpp"
#include "bench/runner.hpp"

#include "fixtures/null_server.hpp"

#include "tools/commands.hpp"
#include "tools/exit_code.hpp"
#include "tools/options.hpp"
#include "tools/peers.hpp"
#include "tools/progress.hpp"
#include "tools/result_file.hpp"
#include "tools/stop_flag.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>

namespace tools {
namespace {

struct ladder_options {
  std::vector<std::string> ops;
  std::vector<std::string> rungs;
  std::vector<std::string> against;
  double budget_s = 20;
  double precision = 0;
  double delta = 0.02;
  std::uint64_t seed = 1;
  int cpu = 0;
  double timeout_s = 10;
  std::string profile = "standalone";
  std::string output;
  bool json = false;
  bool quiet = false;
  bool list = false;
  std::vector<std::string> command_line;  ///< for the context, which blanks its secrets
};

/// A real server for the context: what it is, and how it is set up where that is known.
std::string describe(const bench::peer& real) {
  const auto name = real.name();
  if (name.starts_with("PostgreSQL")) return name + ", temporary cluster, server defaults, fsync on";
  if (name.starts_with("SecantusDB")) return name + ", standalone, in memory";
  return name + ", as its owner runs it";
}

class ladder_run {
 public:
  explicit ladder_run(const ladder_options& options) : options_(options), bar_(options.quiet) {}

  int whole();

 private:
  absl::Status check_reals() const;
  absl::Status start_peers();
  absl::Status start_reals();
  bool wants(const std::string& rung) const;
  absl::Status measure_all();
  absl::Status measure(const bench::op& what, std::size_t number);
  void take(bench::run_outcome outcome);
  void begin_result();
  absl::Status finish();

  /// The peers of one protocol.
  struct pair {
    std::unique_ptr<bench::peer> null;
    std::unique_ptr<bench::peer> real;
  };
  pair& peers_of(wire::protocol protocol) { return protocol == wire::protocol::mongo ? mongo_ : pg_; }

  const ladder_options& options_;
  const std::atomic<bool>& stop_ = stop_flag();
  std::vector<const bench::op*> ops_;
  pair mongo_;
  pair pg_;
  std::optional<wire::watchdog> dog_;
  progress_bar bar_;
  bench::result result_;
};

/// Peers come first: they are forked, which must happen before there are threads.
int ladder_run::whole() {
  for (const auto& one : bench::op_set()) {
    const auto& named = options_.ops;
    if (named.empty() || std::find(named.begin(), named.end(), one.name) != named.end()) ops_.push_back(&one);
  }
  if (auto status = check_reals(); !status.ok()) return report(status);
  if (auto status = start_peers(); !status.ok()) return report(status);
  dog_.emplace(std::chrono::milliseconds(static_cast<std::int64_t>(options_.timeout_s * 1000)));
  begin_result();
  const auto measured = measure_all();
  const auto finished = finish();
  bar_.clear();
  if (!measured.ok()) return report(measured);
  if (!finished.ok()) return report(finished);
  return stop_ ? interrupted : success;
}

/// Whether that rung is to be measured.
bool ladder_run::wants(const std::string& rung) const {
  return options_.rungs.empty() ||
         std::find(options_.rungs.begin(), options_.rungs.end(), rung) != options_.rungs.end();
}

/// What --real and --rung ask for must fit each other and the ops.
absl::Status ladder_run::check_reals() const {
  const bool named = std::find(options_.rungs.begin(), options_.rungs.end(), "real") != options_.rungs.end();
  if (named && options_.against.empty())
    return absl::InvalidArgumentError("--rung real needs a server: add --real");
  if (!options_.against.empty() && !wants("real")) {
    return absl::InvalidArgumentError(
        "--real without the rung `real`: add it to --rung, or leave --real out");
  }
  for (const auto& what : options_.against) {
    const auto protocol = protocol_of(what);
    if (!protocol.ok()) return protocol.status();
    const auto speaks = [&](const bench::op* one) { return one->protocol == *protocol; };
    if (std::none_of(ops_.begin(), ops_.end(), speaks)) {
      return absl::InvalidArgumentError("--real names a server that none of the ops speaks to");
    }
  }
  return absl::OkStatus();
}

absl::Status ladder_run::start_peers() {
  for (const auto* what : ops_) {
    auto& null = peers_of(what->protocol).null;
    if (null) continue;
    auto started = start_null(what->protocol, options_.cpu, *fixtures::mongo_profile_named(options_.profile));
    if (!started.ok()) return started.status();
    null = *std::move(started);
  }
  return start_reals();
}

absl::Status ladder_run::start_reals() {
  for (const auto& what : options_.against) {
    const auto protocol = protocol_of(what);
    if (!protocol.ok()) return protocol.status();
    auto& real = peers_of(*protocol).real;
    if (real)
      return absl::InvalidArgumentError("--real names two servers of one protocol; measure one at a time");
    auto started = start_real(what, options_.cpu);
    if (!started.ok()) return started.status();
    real = *std::move(started);
  }
  return absl::OkStatus();
}

void ladder_run::begin_result() {
  result_.context = bench::read_environment(
      {{"libmongoc", bench::drivers::libmongoc_version()}, {"libpq", bench::drivers::libpq_version()}},
      options_.command_line);
  result_.context.emplace_back("null_servers",
                               fmt::format("receive strategy {}; MongoDB profile {}, wire versions 0 to 21",
                                           fixtures::receive_strategy, options_.profile));
  for (const auto* real : {mongo_.real.get(), pg_.real.get()}) {
    if (real != nullptr) result_.context.emplace_back("real_server", describe(*real));
  }
  result_.clock = bench::calibrate_clock();
  result_.warnings = bench::doubts(result_.context);
  result_.plan.seed = options_.seed;
  result_.plan.cpu = options_.cpu;
  result_.plan.delta = options_.delta;
}

absl::Status ladder_run::measure_all() {
  for (std::size_t i = 0; i < ops_.size() && !stop_; ++i) {
    if (auto status = measure(*ops_[i], i); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ladder_run::measure(const bench::op& what, std::size_t number) {
  const auto& peers = peers_of(what.protocol);
  const auto cells =
      bench::plan_ladder(what, options_.rungs, {.null = peers.null.get(), .real = peers.real.get()}, *dog_);
  if (cells.empty())
    return absl::OkStatus();  // only `real` was asked for, and this protocol has no real server
  if (peers.real) {
    if (auto status = bench::set_up_server(what, *peers.real, *dog_); !status.ok()) return status;
  }
  bench::run_options options{
      .budget_s = options_.budget_s,
      .precision = options_.precision > 0 ? std::optional(options_.precision) : std::nullopt,
      .seed = options_.seed,
      .cpu = options_.cpu,
      .stop = &stop_,
      .on_progress = {}};
  options.on_progress = [&](const bench::run_progress& now) {
    const double share =
        (static_cast<double>(number) + now.elapsed_s / now.budget_s) / static_cast<double>(ops_.size());
    const auto width = now.half_width ? fmt::format(", +-{:.2f} %", *now.half_width * 100) : std::string();
    bar_.show(share, fmt::format("{}, {} rows{}", what.name, now.rows, width));
  };
  auto outcome = bench::run(cells, options);
  auto status = outcome.status;
  take(std::move(outcome));
  if (peers.real) status.Update(bench::clean_up_server(what, *peers.real, *dog_));
  return status;
}

void ladder_run::take(bench::run_outcome outcome) {
  const auto compared = bench::compare(outcome.cells, options_.delta);
  const auto append = [](auto& to, auto&& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(result_.cells, outcome.cells);
  append(result_.comparisons, compared);
  append(result_.warnings, outcome.warnings);
  result_.plan.ops.push_back(std::move(outcome.plan));
}

absl::Status ladder_run::finish() {
  bar_.clear();
  bench::drop_given_flags(result_.warnings, options_.command_line);
  const bool measured = std::any_of(result_.plan.ops.begin(), result_.plan.ops.end(),
                                    [](const bench::op_plan& op) { return op.rows > 0; });
  if (!measured) return stop_ ? absl::OkStatus() : absl::UnavailableError("nothing was measured");
  const auto path = save(result_, "ladder", options_.output);  // before printing, which may fail too
  if (options_.json) {
    for (const auto& doubt : result_.warnings)
      fmt::print(stderr, "{} {}: {}\n", doubt.code, doubt.number, doubt.cause);
    fmt::print("{}", bench::report_json(result_));
  } else {
    const bool colour = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
    fmt::print("{}", bench::report_console(result_, colour));
  }
  std::fflush(stdout);
  if (!path.ok()) return path.status();
  fmt::print(options_.json ? stderr : stdout, "saved as {}\n", *path);
  return absl::OkStatus();
}

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

}  // namespace

void add_ladder(CLI::App& program, const std::vector<std::string>& command_line, int& code) {
  auto options = std::make_shared<ladder_options>();
  options->command_line = command_line;
  auto* command =
      program.add_subcommand("ladder",
                             "Measures ops on every rung: bare sockets, the raw client in memory, over UNIX "
                             "and over TCP, and the driver,\n"
                             "all against null servers, and with --real against a real server too. Rounds "
                             "are interleaved and compared\n"
                             "in pairs, with both sides on one cpu.\n\n"
                             "  wirebench ladder --budget 10\n"
                             "  wirebench ladder --op ping,select1 --precision 0.5%\n"
                             "  wirebench ladder --op select_param --real pg\n"
                             "  wirebench ladder --op insert_one --real mongodb://127.0.0.1:27017/ --json");
  command->add_option("--op", options->ops, "ops, separated by commas; all if not given")
      ->delimiter(',')
      ->check(check_op)
      ->type_name("OP");
  command->add_option("--rung", options->rungs, "rungs, separated by commas; all if not given")
      ->delimiter(',')
      ->check(check_rung)
      ->type_name("RUNG");
  command
      ->add_option("--real", options->against,
                   "a real server as well: `pg` (a temporary PostgreSQL), `mongo` (SecantusDB), or a URI;\n"
                   "may be given once per protocol")
      ->type_name("SERVER");
  add_profile(*command, options->profile);
  add_seconds(*command, "--budget", options->budget_s, 0.1, "seconds per op, warm-up included");
  add_share(*command, "--precision", options->precision,
            "end an op earlier, when the driver / raw interval is so narrow on either side (1%)")
      ->type_name("SHARE");
  add_share(*command, "--delta", options->delta, "differences within this share count as equivalent (2%)")
      ->type_name("SHARE");
  command->add_option("--seed", options->seed, "of the order of rounds")
      ->check(CLI::NonNegativeNumber)  // "-1" would wrap around
      ->type_name("N")
      ->capture_default_str();
  add_cpu(*command, options->cpu);
  add_timeout(*command, options->timeout_s);
  command->add_option("-o,--output", options->output, "save the result here")->type_name("FILE");
  command->add_flag("--json", options->json, "print the result as JSON and nothing else");
  command->add_flag("--quiet", options->quiet, "no progress bar");
  command->add_flag("--list", options->list, "name the ops and end");
  command->callback([options, &code] { code = options->list ? list_ops() : ladder_run(*options).whole(); });
}

}  // namespace tools
