// wirebench doctor: is this machine fit to measure?

#include "bench/clock.hpp"
#include "bench/counting/callgrind.hpp"
#include "bench/counting/perf_counter.hpp"
#include "bench/environment.hpp"
#include "bench/noise.hpp"
#include "bench/placement.hpp"
#include "bench/recording_cost.hpp"
#include "bench/report_json.hpp"

#include "tools/commands.hpp"
#include "tools/exit_code.hpp"
#include "tools/loopback.hpp"
#include "tools/options.hpp"
#include "tools/output.hpp"
#include "tools/progress.hpp"
#include "tools/result_file.hpp"
#include "tools/self_comparison.hpp"
#include "tools/self_test.hpp"
#include "tools/stop_flag.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>

namespace tools {
namespace {

using nlohmann::ordered_json;

struct doctor_options {
  std::uint64_t aa = 20;
  std::uint64_t seed = 1;
  int cpu = 0;
  output_options output;
  bool strict = false;
  bool self_test = false;
};

ordered_json maybe(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

std::string against_echo(const std::string& op, const bench::comparison& pair) {
  if (!pair.lo) return fmt::format("{}: {} rows are too few to compare it with a bare echo", op, pair.rows);
  return fmt::format("{}: {:.3f} [{:.3f}, {:.3f}] times a bare echo of the same bytes, {} rows", op,
                     *pair.ratio, *pair.lo, *pair.hi, pair.rows);
}

class doctor_run {
 public:
  explicit doctor_run(const doctor_options& options) : options_(options), bar_(options.output.quiet) {}

  int whole();
  int truths();

 private:
  absl::Status examine();
  void machine();
  void clock();
  void sensors();
  absl::Status pinning();
  absl::Status loopback();
  absl::Status null_servers();
  absl::Status raw_client();
  void show(const aa_tally& tally);
  absl::Status conclude();
  self_comparison compared(const std::string& what);
  void tell(const std::string& label, const std::string& text);

  const doctor_options& options_;
  const std::atomic<bool>& stop_ = stop_flag();
  progress_bar bar_;
  ordered_json report_{{"schema_version", bench::schema_version}, {"tool", "wirebench doctor"}};
  bool fit_ = true;
};

/// A line for a person, at once, wherever it goes; with --json the report says it at the end.
void doctor_run::tell(const std::string& label, const std::string& text) {
  bar_.clear();
  if (options_.output.json) return;
  fmt::print("{:<22}{}\n", label, text);
  std::fflush(stdout);
}

int doctor_run::whole() {
  auto status = examine();
  bar_.clear();
  if (status.ok()) status = conclude();
  return report(status, stop_, fit_ || !options_.strict ? success : inconclusive);
}

/// Does the method find what is known to be there?
int doctor_run::truths() {
  const auto found = run_truth_tests(compared("truth tests"));
  bar_.clear();
  if (!found.ok()) return report(found.status());
  fmt::print("{}", table(*found));
  const auto says = worst(*found);
  return report({}, stop_,
                says == finding::right    ? success
                : says == finding::unsure ? inconclusive
                                          : failure);
}

absl::Status doctor_run::examine() {
  machine();
  clock();
  sensors();
  if (auto status = pinning(); !status.ok()) return status;
  if (auto status = loopback(); !status.ok()) return status;
  if (auto status = null_servers(); !status.ok()) return status;
  return raw_client();
}

/// What was examined, also when that was stopped half-way: then nobody knows.
absl::Status doctor_run::conclude() {
  report_["fit"] = stop_ ? ordered_json() : ordered_json(fit_);
  const auto text = report_.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  const auto& path = options_.output.path;
  auto saved = path.empty() ? absl::OkStatus() : write_file(path, text);  // printing may fail too
  if (options_.output.json) {
    fmt::print("{}", text);
  } else if (stop_) {
    fmt::print("stopped: whether this machine is fit to measure is not known\n");
  } else {
    fmt::print("this machine is {} to measure\n", fit_ ? "fit" : "NOT fit");
  }
  return saved;
}

void doctor_run::machine() {
  const auto facts = bench::read_environment({}, {});
  auto& context = report_["context"] = ordered_json::object();
  for (const auto& [key, value] : facts) {
    tell(key, value);
    context[key] = value;
  }
  auto& warnings = report_["warnings"] = ordered_json::array();
  for (const auto& doubt : bench::doubts(facts)) {
    tell(doubt.code, fmt::format("{}: {}; {}", doubt.number, doubt.cause, doubt.remedy));
    warnings.push_back(
        {{"code", doubt.code}, {"number", doubt.number}, {"cause", doubt.cause}, {"remedy", doubt.remedy}});
  }
}

void doctor_run::clock() {
  const auto clock = bench::calibrate_clock();
  const auto sample_ns = bench::recording_cost_ns() + static_cast<double>(clock.read_cost_p50_ns);
  tell("clock", fmt::format("{}, resolution {} ns, one read {} ns (p99 {} ns), {} cpus, {} backward steps",
                            clock.source, clock.resolution_ns, clock.read_cost_p50_ns, clock.read_cost_p99_ns,
                            clock.cpus_checked, clock.backward_steps));
  tell("latency sample", fmt::format("{:.1f} ns: one clock read and a histogram that notes it", sample_ns));
  report_["clock"] = {{"source", clock.source},
                      {"resolution_ns", clock.resolution_ns},
                      {"read_cost_p50_ns", clock.read_cost_p50_ns},
                      {"read_cost_p99_ns", clock.read_cost_p99_ns},
                      {"cpus_checked", clock.cpus_checked},
                      {"backward_steps", clock.backward_steps},
                      {"latency_sample_ns", sample_ns}};
  if (clock.backward_steps != 0) fit_ = false;
}

/// What a round can tell about its noise here, and what counts instructions.
void doctor_run::sensors() {
  const auto noise = bench::noise_sensors(options_.cpu).read();
  const auto instructions = bench::counting::perf_counter::user_instructions();
  const auto valgrind = bench::counting::find_valgrind();
  const auto known = [](const auto& value) { return value ? "yes" : "no"; };
  tell("sensors", fmt::format("steal {}, pressure {}, migrations {}", known(noise.steal_ticks),
                              known(noise.pressure_us), known(noise.migrations)));
  tell("instructions", instructions.missing().empty() ? "counted by perf_event"
                       : valgrind ? fmt::format("counted by callgrind; {}", instructions.missing())
                                  : instructions.missing() + "; valgrind is not installed");
  report_["sensors"] = {{"steal", noise.steal_ticks.has_value()},
                        {"pressure", noise.pressure_us.has_value()},
                        {"migrations", noise.migrations.has_value()},
                        {"perf_event_instructions", instructions.missing().empty()},
                        {"callgrind", valgrind.has_value()}};
}

absl::Status doctor_run::pinning() {
  const auto pinned = bench::pinned_thread::to(options_.cpu);
  if (!pinned.ok()) return pinned.status();
  tell("pinning", fmt::format("cpu {}, read back as {}", options_.cpu, bench::current_cpu()));
  report_["cpu"] = options_.cpu;
  return absl::OkStatus();
}

/// What bare sockets do here: one small round trip, and 256 KiB with a short answer.
absl::Status doctor_run::loopback() {
  auto& trips = report_["loopback"] = ordered_json::array();
  for (const std::size_t request : {std::size_t{64}, std::size_t{256 * 1024}}) {
    const auto ns = echo_round_trip_ns(request, options_.cpu);
    if (!ns.ok()) return ns.status();
    tell("loopback", fmt::format("{} bytes there, {} back, same cpu: {:.1f} us, {:.0f} MB/s", request,
                                 echo_reply_bytes, *ns / 1000, static_cast<double>(request) / *ns * 1000));
    trips.push_back({{"request_bytes", request}, {"reply_bytes", echo_reply_bytes}, {"round_trip_ns", *ns}});
  }
  return absl::OkStatus();
}

absl::Status doctor_run::null_servers() {
  auto& ratios = report_["null_over_echo"] = ordered_json::array();
  for (const auto* op : {"ping", "insert_one", "find_one", "select1"}) {
    if (stop_) break;
    const auto pair = null_over_echo(op, compared(op));
    if (!pair.ok()) return pair.status();
    tell("null server", against_echo(op, *pair));
    ratios.push_back({{"op", op},
                      {"ratio", maybe(pair->ratio)},
                      {"lo", maybe(pair->lo)},
                      {"hi", maybe(pair->hi)},
                      {"rows", pair->rows}});
  }
  return absl::OkStatus();
}

absl::Status doctor_run::raw_client() {
  const auto tally = raw_against_raw(options_.aa, compared("raw against raw"));
  if (!tally.ok()) return tally.status();
  report_["aa"] = {{"repetitions", tally->repetitions}, {"asked_for", options_.aa}, {"rows", aa_tally::rows}};
  if (tally->repetitions == 0) {
    tell("raw against raw", fmt::format("none of {} repetitions was done", options_.aa));
    return absl::OkStatus();
  }
  show(*tally);
  if (tally->excluded > tally->honest_limit() || !tally->quiet()) fit_ = false;
  return absl::OkStatus();
}

void doctor_run::show(const aa_tally& tally) {
  const auto of = tally.repetitions < options_.aa ? fmt::format(" of {}", options_.aa) : "";
  tell("raw against raw",
       fmt::format("{}{} times {} rows: {} intervals exclude 1 (an honest tool: at most {}), {} verdicts",
                   tally.repetitions, of, aa_tally::rows, tally.excluded, tally.honest_limit(),
                   tally.verdicts));
  tell("A/A floor", fmt::format("{:.2f} % (95th percentile of |ln ratio|)", tally.floor() * 100));
  tell("disturbed rounds",
       fmt::format("{:.1f} % of {} (fit: at most 5 %)",
                   100 * static_cast<double>(tally.disturbed) / static_cast<double>(tally.rounds),
                   tally.rounds));
  report_["aa"].update({{"excluded", tally.excluded},
                        {"honest_limit", tally.honest_limit()},
                        {"verdicts", tally.verdicts},
                        {"floor", tally.floor()},
                        {"rounds", tally.rounds},
                        {"disturbed", tally.disturbed}});
}

self_comparison doctor_run::compared(const std::string& what) {
  return {
      .cpu = options_.cpu, .seed = options_.seed, .stop = &stop_, .on_progress = [this, what](double share) {
        bar_.show(share, what);
      }};
}

}  // namespace

void add_doctor(CLI::App& program, int& code) {
  auto options = std::make_shared<doctor_options>();
  auto* command =
      program.add_subcommand("doctor",
                             "Looks at the clock, the pinning, the loopback, at what the null "
                             "servers cost over a bare echo, and at\n"
                             "what the method finds where there is nothing to be found: the raw "
                             "client compared with itself, as the\n"
                             "ladder compares it with a driver.\n\n"
                             "  wirebench doctor\n"
                             "  wirebench doctor --aa 200        some ten minutes\n"
                             "  wirebench doctor --strict --json\n"
                             "  wirebench doctor --self-test     put a known time in, find it again");
  auto* repetitions = command->add_option("--aa", options->aa, "repetitions of raw against raw")
                          ->check(CLI::Range(1, 10000))
                          ->type_name("N")
                          ->capture_default_str();
  add_seed(*command, options->seed, "of the order of rounds");
  add_cpu(*command, options->cpu);
  add_output(*command, options->output, "findings");
  auto* strict =
      command->add_flag("--strict", options->strict, "end with exit code 4 when the machine is not fit");
  auto* self_test = command->add_flag(
      "--self-test", options->self_test,
      "instead: a known time is put into server, driver and peer, and must be found again; ends with\n"
      "exit code 1 when it is not, and 4 when noise hides it");
  for (auto* other : {repetitions, strict, command->get_option("--json"), command->get_option("--output")})
    self_test->excludes(other);
  command->callback([options, &code] {
    doctor_run run(*options);
    code = options->self_test ? run.truths() : run.whole();
  });
}

}  // namespace tools
