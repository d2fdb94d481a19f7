// wirebench ladder: the main job.

#include "bench/attribution.hpp"
#include "bench/compare.hpp"
#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libpq.hpp"
#include "bench/environment.hpp"
#include "bench/findings.hpp"
#include "bench/ladder.hpp"
#include "bench/pilot.hpp"
#include "bench/report_console.hpp"
#include "bench/report_json.hpp"
#include "bench/runner.hpp"
#include "bench/server_time.hpp"
#include "bench/stages.hpp"

#include "fixtures/null_server.hpp"

#include "tools/commands.hpp"
#include "tools/counting.hpp"
#include "tools/exit_code.hpp"
#include "tools/options.hpp"
#include "tools/peers.hpp"
#include "tools/progress.hpp"
#include "tools/replication.hpp"
#include "tools/result_file.hpp"
#include "tools/stop_flag.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <set>

namespace tools {
namespace {

struct ladder_options {
  std::vector<std::string> ops;
  std::vector<std::string> rungs;
  std::vector<std::string> against;
  std::vector<std::string> counts;
  double budget_s = 20;
  double precision = 0;
  std::uint64_t processes = 1;
  double delta = 0.02;
  std::uint64_t seed = 1;
  std::vector<std::chrono::nanoseconds> service_times = bench::default_waiting_times().always;
  std::string delay_mode = "spin";
  int cpu = 0;
  double timeout_s = 10;
  std::string profile = "standalone";
  bool strict = false;
  std::string output;
  bool json = false;
  bool quiet = false;
  bool list = false;
  std::vector<std::string> command_line;  ///< for the context, which blanks its secrets
};

/// A real server for the context: what it is, and how it is set up where that is known.
std::string describe(const bench::peer& real) {
  const auto name = real.name();
  if (real.delayed()) return name + ", a null server";
  if (name.find(" at ") != std::string::npos) return name + ", as its owner runs it";
  if (name.starts_with("PostgreSQL")) return name + ", temporary cluster, server defaults, fsync on";
  if (name.starts_with("SecantusDB")) return name + ", standalone, in memory";
  return name + ", as its owner runs it";
}

/// Everything but a process's own share, place and form of output.
std::vector<std::string> arguments_for_processes(const std::vector<std::string>& command_line) {
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
  absl::Status measure_here();
  absl::Status measure_in_processes();
  absl::Status measure(const bench::op& what, std::size_t number);
  absl::Status measure_cells(const bench::op& what, bench::run_options options);
  absl::StatusOr<double> find_service_times(const bench::op& what, const bench::run_options& options,
                                            bench::waiting_times& waits);
  bench::attribution_facts facts_about(const bench::op& what);
  std::vector<std::string> rungs_for(const bench::op& what, bool told);
  void take(bench::run_outcome outcome, const bench::attribution_facts& facts);
  void begin_result();
  void count();
  absl::Status finish();
  bool is_conclusive() const;
  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(options_.timeout_s * 1000));
  }

  /// The peers of one protocol.
  struct pair {
    std::unique_ptr<bench::peer> null;
    std::unique_ptr<bench::peer> real;
  };
  pair& peers_of(wire::protocol protocol) { return protocol == wire::protocol::mongo ? mongo_ : pg_; }
  bench::ladder_peers both(const bench::op& what) {
    auto& peers = peers_of(what.protocol);
    return {.null = peers.null.get(), .real = peers.real.get()};
  }

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
  const auto measured = options_.processes > 1 ? measure_in_processes() : measure_here();
  count();
  const auto finished = finish();
  bar_.clear();
  if (!measured.ok()) return report(measured);
  if (!finished.ok()) return report(finished);
  if (stop_) return interrupted;
  return options_.strict && !is_conclusive() ? inconclusive : success;
}

/// Every attribution closed, and every driver's overhead known.
bool ladder_run::is_conclusive() const {
  const auto& attributed = result_.attributions;
  const auto& pairs = result_.comparisons;
  return std::all_of(attributed.begin(), attributed.end(),
                     [](const auto& made) { return made.judged.closed; }) &&
         std::none_of(pairs.begin(), pairs.end(), [](const auto& one) {
           return one.asks == bench::question::overhead && one.says == bench::verdict::inconclusive;
         });
}

absl::Status ladder_run::measure_here() {
  if (auto status = start_peers(); !status.ok()) return status;
  dog_.emplace(timeout());
  begin_result();
  return measure_all();
}

/// Server time is read off null servers whose service times each process would choose anew: its rungs are left out.
absl::Status ladder_run::measure_in_processes() {
  auto arguments = arguments_for_processes(options_.command_line);
  if (!options_.against.empty()) {
    auto rungs = options_.rungs.empty() ? bench::default_rungs(true) : options_.rungs;
    const auto left_out = [](const std::string& rung) {
      return rung == "tcpD" || rung == "tcp0s" || rung == "reals" || rung == "realt";
    };
    if (!options_.rungs.empty() && std::any_of(rungs.begin(), rungs.end(), left_out)) {
      return absl::InvalidArgumentError(
          "server time is found in one process: leave --processes out, or tcpD and the rungs behind `real`");
    }
    std::erase_if(rungs, left_out);
    if (options_.rungs.empty())
      arguments.insert(arguments.end(), {"--rung", fmt::format("{}", fmt::join(rungs, ","))});
  }
  auto replicated = run_replicated(
      {.processes = options_.processes,
       .seed = options_.seed,
       .arguments = std::move(arguments),
       .budget_s = options_.budget_s,
       .expected_s =
           options_.budget_s / static_cast<double>(options_.processes) * static_cast<double>(ops_.size()),
       .stop = &stop_,
       .on_progress = [this](double share, const std::string& what) { bar_.show(share, what); }});
  auto& measured = replicated.result;
  result_.context = std::move(measured.context);
  for (auto& [key, value] : result_.context) {
    if (key == "command") value = bench::shown_command(options_.command_line);
  }
  result_.clock = measured.clock;
  result_.plan = {.seed = options_.seed, .cpu = options_.cpu, .delta = options_.delta, .ops = {}};
  // What one process's rounds said against themselves, those of all of them say anew.
  std::erase_if(measured.warnings,
                [](const bench::warning& doubt) { return !doubt.op.empty() && doubt.code != "W-PLACEMENT"; });
  result_.warnings = std::move(measured.warnings);
  for (auto& op : measured.plan.ops) {
    bench::run_outcome outcome{.status = {}, .cells = {}, .plan = std::move(op), .warnings = {}};
    for (auto& one : measured.cells) {
      if (one.what.op == outcome.plan.op) outcome.cells.push_back(std::move(one));
    }
    for (auto& one : outcome.cells) bench::summarize(one);
    outcome.warnings = bench::findings(outcome.cells, outcome.plan, options_.cpu);
    const auto& what = *bench::find_op(outcome.plan.op);
    take(std::move(outcome), facts_about(what));
  }
  return replicated.status;
}

/// Whether that rung is to be measured.
bool ladder_run::wants(const std::string& rung) const {
  return options_.rungs.empty() ||
         std::find(options_.rungs.begin(), options_.rungs.end(), rung) != options_.rungs.end();
}

/// What --real and --rung ask for must fit each other and the ops.
absl::Status ladder_run::check_reals() const {
  const auto named = std::find_if(options_.rungs.begin(), options_.rungs.end(), bench::needs_real);
  if (named != options_.rungs.end() && options_.against.empty())
    return absl::InvalidArgumentError(fmt::format("--rung {} needs a server: add --real", *named));
  if (!options_.against.empty() && !options_.rungs.empty() && named == options_.rungs.end()) {
    return absl::InvalidArgumentError(
        "--real without the rung `real`: add it to --rung, or leave --real out");
  }
  for (const auto& what : options_.against) {
    bool spoken = false;
    for (const auto* one : ops_) {
      const auto speaking = speaks(what, one->protocol);
      if (!speaking.ok()) return speaking.status();
      spoken = spoken || *speaking;
    }
    if (!spoken) return absl::InvalidArgumentError("--real names a server that none of the ops speaks to");
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
  for (const auto protocol : {wire::protocol::mongo, wire::protocol::pg}) {
    auto& [null, real] = peers_of(protocol);
    if (!null) continue;  // no op speaks it
    for (const auto& what : options_.against) {
      if (!*speaks(what, protocol)) continue;
      if (real)
        return absl::InvalidArgumentError("--real names two servers of one protocol; measure one at a time");
      auto started = start_real(what, protocol, options_.cpu, timeout(),
                                *fixtures::mongo_profile_named(options_.profile));
      if (!started.ok()) return started.status();
      real = *std::move(started);
    }
  }
  return absl::OkStatus();
}

void ladder_run::begin_result() {
  result_.context = bench::read_environment(
      {{"libmongoc", bench::drivers::libmongoc_version()}, {"libpq", bench::drivers::libpq_version()}},
      options_.command_line);
  result_.context.emplace_back(
      "null_servers", fmt::format("receive strategy {}; MongoDB profile {}, wire versions 0 to 21",
                                  fixtures::name(fixtures::receive_strategy::store), options_.profile));
  for (const auto* real : {mongo_.real.get(), pg_.real.get()}) {
    if (real != nullptr) result_.context.emplace_back("real_server", describe(*real));
  }
  result_.clock = bench::calibrate_clock();
  result_.warnings = bench::doubts(result_.context);
  for (auto& doubt : bench::doubts(result_.clock)) result_.warnings.push_back(std::move(doubt));
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
  const auto peers = both(what);
  const bool only_real =
      !options_.rungs.empty() && std::all_of(options_.rungs.begin(), options_.rungs.end(), bench::needs_real);
  if (only_real && peers.real == nullptr) return absl::OkStatus();  // this protocol has no real server
  if (peers.real != nullptr) {
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
  auto status = measure_cells(what, options);
  if (peers.real != nullptr) status.Update(bench::clean_up_server(what, *peers.real, *dog_));
  return status;
}

absl::Status ladder_run::measure_cells(const bench::op& what, bench::run_options options) {
  bench::waiting_times waits{
      .always = options_.service_times,
      .near_target = {},
      .mode = options_.delay_mode == "spin" ? bench::delay_mode::spin : bench::delay_mode::sleep};
  const auto spent_s = find_service_times(what, options, waits);
  if (!spent_s.ok()) return spent_s.status();
  options.budget_s -= *spent_s;
  auto facts = facts_about(what);
  const auto cells = bench::plan_ladder(what, rungs_for(what, facts.told), both(what), *dog_, waits);
  auto outcome = bench::run(cells, options);
  auto status = outcome.status;
  facts.mode = waits.mode;
  take(std::move(outcome), facts);
  return status;
}

/// A pilot on the way to server time, if that is wanted; returns what it took of the budget.
absl::StatusOr<double> ladder_run::find_service_times(const bench::op& what,
                                                      const bench::run_options& options,
                                                      bench::waiting_times& waits) {
  if (both(what).real == nullptr || !wants("tcpD") || !wants("real")) return 0;
  const auto began_ns = bench::now_ns();
  auto near = bench::find_near_target(what, both(what), *dog_, waits, options);
  if (!near.ok()) return near.status();
  waits.near_target = *std::move(near);
  return static_cast<double>(bench::now_ns() - began_ns) / 1e9;
}

/// Asks the server whether it tells its own time.
bench::attribution_facts ladder_run::facts_about(const bench::op& what) {
  bench::attribution_facts facts{
      .reading_cost_ns = static_cast<double>(bench::reading_cost_ns(bench::stamp_clock::wall)),
      .cpu_reading_cost_ns = static_cast<double>(bench::reading_cost_ns(bench::stamp_clock::thread)),
      .reading_uncertainty_ns =
          static_cast<double>(result_.clock.read_cost_p99_ns - result_.clock.read_cost_p50_ns),
      .seed = options_.seed};
  const auto* real = both(what).real;
  if (real == nullptr || real->delayed() || !wants("realt")) return facts;
  const auto timer = bench::timer_of(what.protocol);
  const auto told = bench::check_told(what, real->tcp_uri(), *dog_);
  facts.told = told.ok();
  facts.told_resolution_ns = timer.resolution_ns;
  facts.told_by =
      told.ok() ? fmt::format("{}: {}", timer.source, timer.contains) : std::string(told.message());
  return facts;
}

/// The named rungs, or the default ones; without `realt` where the server tells nothing.
std::vector<std::string> ladder_run::rungs_for(const bench::op& what, bool told) {
  auto rungs = options_.rungs.empty() ? bench::default_rungs(both(what).real != nullptr) : options_.rungs;
  if (!told) std::erase(rungs, "realt");
  return rungs;
}

void ladder_run::take(bench::run_outcome outcome, const bench::attribution_facts& facts) {
  const auto compared = bench::compare(outcome.cells, options_.delta);
  outcome.plan.aa_floor = bench::aa_floor(compared);
  const auto append = [](auto& to, auto&& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (auto& made : bench::attribute(outcome.cells, compared, facts)) {
    append(outcome.warnings, bench::doubts_of(made, outcome.cells, facts));
    result_.attributions.push_back(std::move(made));
  }
  append(result_.cells, outcome.cells);
  append(result_.comparisons, compared);
  append(result_.warnings, outcome.warnings);
  append(result_.warnings, bench::findings(compared, outcome.plan));
  result_.plan.ops.push_back(std::move(outcome.plan));
}

/// After the timed rounds, in processes of their own.
void ladder_run::count() {
  if (options_.counts.empty()) return;
  count_cells(result_.cells, {.kinds = kinds_of(options_.counts),
                              .cpu = options_.cpu,
                              .stop = &stop_,
                              .on_progress = [this](double share, const std::string& cell) {
                                bar_.show(share, "counting " + cell);
                              }});
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
  auto* command = program.add_subcommand(
      "ladder",
      "Measures ops on every rung: bare sockets, the raw client in memory, over UNIX "
      "and over TCP, and the driver,\n"
      "all against null servers, and with --real against a real server too. Rounds "
      "are interleaved and compared\n"
      "in pairs, with both sides on one cpu. Against a real server the null server is also made to "
      "take its time, until\n"
      "it is as slow: that is the server's time, and whether all adds up is said.\n\n"
      "  wirebench ladder --budget 10\n"
      "  wirebench ladder --op ping,select1 --precision 0.5%\n"
      "  wirebench ladder --op select_param --real pg\n"
      "  wirebench ladder --op ping --real null:200us      a server whose time is known\n"
      "  wirebench ladder --op ping --rung tcp0,tcpD,tcp0s --service-time 50us,200us,1ms\n"
      "  wirebench ladder --op ping --count all\n"
      "  wirebench ladder --op ping --processes 8 --budget 40\n"
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
      ->add_option(
          "--real", options->against,
          "a real server as well: `pg` (a temporary PostgreSQL), `mongo` (SecantusDB), `null:200us` (a null\n"
          "server that takes so long), or a URI;\n"
          "may be given once per protocol")
      ->type_name("SERVER");
  command
      ->add_option("--count", options->counts,
                   "after the timed rounds, in passes of their own, separated by commas: memory, heap,\n"
                   "syscalls, instructions (the slow one: some 10 s per op), or all")
      ->delimiter(',')
      ->check(check_kind)
      ->type_name("KIND");
  add_profile(*command, options->profile);
  add_seconds(*command, "--budget", options->budget_s, 0.1, "seconds per op, warm-up included");
  command
      ->add_option(
          "--processes", options->processes,
          "share the budget among so many fresh processes, each with a layout of its own; from 8 on\n"
          "intervals are taken over them")
      ->check(CLI::Range(1, 1000))
      ->type_name("P")
      ->capture_default_str();
  add_share(*command, "--precision", options->precision,
            "end an op earlier, when the driver / raw interval is so narrow on either side (1%)")
      ->type_name("SHARE");
  add_share(*command, "--delta", options->delta, "differences within this share count as equivalent (2%)")
      ->type_name("SHARE");
  command->add_option("--seed", options->seed, "of the order of rounds")
      ->check(CLI::NonNegativeNumber)  // "-1" would wrap around
      ->type_name("N")
      ->capture_default_str();
  add_durations(*command, "--service-time", options->service_times, fixtures::longest_service_time,
                "what the null server takes per request on rung tcpD (50us,200us,1ms); near the real\n"
                "server's time it gets two more");
  command
      ->add_option("--delay-mode", options->delay_mode,
                   "how it passes that time: spin, busy like a server that works, or sleep")
      ->check(CLI::IsMember({"spin", "sleep"}))
      ->capture_default_str();
  add_cpu(*command, options->cpu);
  add_timeout(*command, options->timeout_s);
  command->add_option("-o,--output", options->output, "save the result here")->type_name("FILE");
  command->add_flag("--json", options->json, "print the result as JSON and nothing else");
  command->add_flag("--strict", options->strict,
                    "exit code 4 when an attribution does not close or a driver's overhead is inconclusive");
  command->add_flag("--quiet", options->quiet, "no progress bar");
  command->add_flag("--list", options->list, "name the ops and end");
  command->callback([options, &code] { code = options->list ? list_ops() : ladder_run(*options).whole(); });
}

}  // namespace tools
