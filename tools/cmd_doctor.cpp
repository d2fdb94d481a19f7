// wirebench doctor: is this machine fit to measure?

#include "wire/connect.hpp"

#include "bench/clock.hpp"
#include "bench/compare.hpp"
#include "bench/environment.hpp"
#include "bench/floor.hpp"
#include "bench/ladder.hpp"
#include "bench/placement.hpp"
#include "bench/runner.hpp"
#include "bench/statistics.hpp"
#include "bench/workloads/floor_op.hpp"

#include "fixtures/echo.hpp"
#include "fixtures/process.hpp"

#include "tools/commands.hpp"
#include "tools/exit_code.hpp"
#include "tools/options.hpp"
#include "tools/peers.hpp"
#include "tools/progress.hpp"
#include "tools/stop_flag.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tools {
namespace {

struct doctor_options {
  std::uint64_t aa = 20;
  std::uint64_t seed = 1;
  int cpu = 0;
  double timeout_s = 10;
  bool quiet = false;
  bool strict = false;
};

/// Rows of one A/A repetition: what the bar of the design is stated for.
constexpr std::uint64_t aa_rows = 160;

/// What repetitions of raw against raw have shown.
struct aa_tally {
  std::uint64_t repetitions = 0;
  std::uint64_t excluded = 0;  ///< intervals without 1
  std::uint64_t verdicts = 0;  ///< faster or slower
  std::vector<double> log_ratios;
};

/// The most of n honest 95 % intervals that exclude 1, with 99 % probability: 18 of 200.
std::uint64_t honest_limit(std::uint64_t repetitions) {
  double tail = 1;
  double term = 1;  // P(Bin(n, 0.05) = 0) is 0.95^n, built up step by step
  for (std::uint64_t i = 0; i < repetitions; ++i) term *= 0.95;
  for (std::uint64_t k = 0; k <= repetitions; ++k) {
    tail -= term;
    if (tail <= 0.01) return k;
    term *= 0.05 / 0.95 * static_cast<double>(repetitions - k) / static_cast<double>(k + 1);
  }
  return repetitions;
}

/// The threshold that the ladder has when none is given.
constexpr double default_delta = 0.02;

/// Time of one round trip with a bare echo, the median of rounds.
absl::StatusOr<double> echo_round_trip_ns(std::size_t request_bytes, const doctor_options& options) {
  static const std::vector<std::uint8_t> reply(64, 'e');
  const auto echo =
      fixtures::process::start(options.cpu, [request_bytes](int fd, fixtures::shared_counters&) {
        fixtures::serve_echo(fd, request_bytes, reply);
      });
  if (!echo.ok()) return echo.status();
  const auto pinned = bench::pinned_thread::to(options.cpu);
  if (!pinned.ok()) return pinned.status();
  const auto to =
      wire::parse_endpoint(fmt::format("tcp:127.0.0.1:{}", echo->tcp_port()), wire::protocol::mongo);
  const auto connected = wire::connect(*to.value, std::chrono::seconds(10));
  if (!connected.transport)
    return absl::UnavailableError("cannot connect to the echo: " + connected.error.message());
  bench::floor client(connected.transport->native_handle(), std::vector<std::uint8_t>(request_bytes, 'q'),
                      reply.size());
  constexpr std::uint64_t ops = 200;
  std::vector<double> rounds;
  for (int round = 0; round < 50; ++round) {
    const auto start = bench::now_ns();
    if (auto status = client.run(ops); !status.ok()) return status;
    if (round >= 10) rounds.push_back(static_cast<double>(bench::now_ns() - start) / ops);
  }
  return bench::median(rounds);
}

/// The floor client on a bare echo.
class floor_on_echo final : public bench::workload {
 public:
  floor_on_echo(std::unique_ptr<wire::transport> transport, const bench::workloads::recorded_op& op)
      : transport_(std::move(transport)), floor_(transport_->native_handle(), op.request, op.reply_bytes) {}

  absl::Status run(std::uint64_t ops) override { return floor_.run(ops); }

 private:
  std::unique_ptr<wire::transport> transport_;
  bench::floor floor_;
};

absl::StatusOr<std::unique_ptr<bench::workload>> open_on_echo(int port,
                                                              const bench::workloads::recorded_op& op) {
  const auto to = wire::parse_endpoint(fmt::format("tcp:127.0.0.1:{}", port), wire::protocol::mongo);
  auto connected = wire::connect(*to.value, std::chrono::seconds(10));
  if (!connected.transport)
    return absl::UnavailableError("cannot connect to the echo: " + connected.error.message());
  return std::make_unique<floor_on_echo>(std::move(connected.transport), op);
}

/// The ladder's own comparison of driver and raw, with raw in the driver's place.
std::vector<bench::cell_plan> aa_cells(const bench::op& what, bench::ladder_peers peers,
                                       wire::watchdog& dog) {
  auto cells = bench::plan_ladder(what, {"floor", "tcp0"}, peers, dog);
  auto alias = cells.back();
  alias.what.id = "ping/driver/raw";
  alias.what.rung = "driver";
  cells.push_back(std::move(alias));
  return cells;
}

class doctor_run {
 public:
  explicit doctor_run(const doctor_options& options) : options_(options), bar_(options.quiet) {}

  int whole();

 private:
  absl::Status examine();
  void machine();
  absl::Status pinning();
  absl::Status loopback();
  absl::Status null_over_echo(const bench::op& what);
  absl::Status raw_against_raw();
  void count(const bench::run_outcome& outcome, aa_tally& tally) const;
  void judge(aa_tally tally);

  const doctor_options& options_;
  const std::atomic<bool>& stop_ = stop_flag();
  progress_bar bar_;
  bool fit_ = true;
};

int doctor_run::whole() {
  const auto status = examine();
  bar_.clear();
  if (!status.ok()) return report(status);
  if (stop_) return interrupted;
  fmt::print("this machine is {} to measure\n", fit_ ? "fit" : "NOT fit");
  return fit_ || !options_.strict ? success : inconclusive;
}

absl::Status doctor_run::examine() {
  machine();
  if (auto status = pinning(); !status.ok()) return status;
  if (auto status = loopback(); !status.ok()) return status;
  for (const auto* op : {"ping", "insert_one", "find_one", "select1"}) {
    if (auto status = null_over_echo(*bench::find_op(op)); !status.ok()) return status;
  }
  return raw_against_raw();
}

void doctor_run::machine() {
  const auto facts = bench::read_environment({}, {});
  for (const auto& [key, value] : facts) fmt::print("{:<22}{}\n", key, value);
  for (const auto& doubt : bench::doubts(facts)) {
    fmt::print("{} {}: {}; {}\n", doubt.code, doubt.number, doubt.cause, doubt.remedy);
  }
  const auto clock = bench::calibrate_clock();
  fmt::print(
      "clock                 {}, resolution {} ns, one read {} ns (p99 {} ns), {} cpus, {} backward steps\n",
      clock.source, clock.resolution_ns, clock.read_cost_p50_ns, clock.read_cost_p99_ns, clock.cpus_checked,
      clock.backward_steps);
  if (clock.backward_steps != 0) fit_ = false;
}

absl::Status doctor_run::pinning() {
  const auto pinned = bench::pinned_thread::to(options_.cpu);
  if (!pinned.ok()) return pinned.status();
  fmt::print("pinning               cpu {}, read back as {}\n", options_.cpu, bench::current_cpu());
  return absl::OkStatus();
}

/// What bare sockets do here: one small round trip, and 256 KiB with a short answer.
absl::Status doctor_run::loopback() {
  for (const std::size_t request : {std::size_t{64}, std::size_t{256 * 1024}}) {
    const auto ns = echo_round_trip_ns(request, options_);
    if (!ns.ok()) return ns.status();
    fmt::print("loopback, same cpu    {:>7} bytes there, 64 back: {:.1f} us, {:.0f} MB/s\n", request,
               *ns / 1000, static_cast<double>(request) / *ns * 1000);
  }
  return absl::OkStatus();
}

/// What a null server costs over an echo of the same bytes, both seen by the floor client: the echo stands in the ladder's
/// comparison where raw does, twice, and the null server where the driver does.
absl::Status doctor_run::null_over_echo(const bench::op& what) {
  auto null = start_null(what.protocol, options_.cpu);
  if (!null.ok()) return null.status();
  wire::watchdog recording{std::chrono::seconds(10)};
  const auto login = wire::parse_endpoint((*null)->tcp_uri());
  const auto op = bench::workloads::record(what.name, **null, *login.value, recording);
  if (!op.ok()) return op.status();
  const auto echo = fixtures::process::start(options_.cpu, [&op](int fd, fixtures::shared_counters&) {
    fixtures::serve_echo(fd, op->request.size(), std::vector<std::uint8_t>(op->reply_bytes, 'e'));
  });
  if (!echo.ok()) return echo.status();

  auto cells = bench::plan_ladder(what, {"floor", "tcp0"}, {.null = null->get()}, recording);
  for (auto& cell : cells) cell.open = [&] { return open_on_echo(echo->tcp_port(), *op); };
  cells[0] = bench::plan_ladder(what, {"floor"}, {.null = null->get()}, recording).front();
  cells[0].what.rung = "driver";
  const auto outcome = bench::run(cells, {.budget_s = 6,
                                          .precision = {},
                                          .max_rows = {},
                                          .seed = options_.seed,
                                          .cpu = options_.cpu,
                                          .stop = &stop_,
                                          .on_progress = {}});
  if (!outcome.status.ok()) return outcome.status;
  for (const auto& pair : bench::compare(outcome.cells, default_delta)) {
    if (pair.asks != bench::question::overhead || !pair.lo) continue;
    fmt::print("null server over echo {:<12} {:.3f} [{:.3f}, {:.3f}], {} rows\n", what.name, *pair.ratio,
               *pair.lo, *pair.hi, pair.rows);
  }
  return absl::OkStatus();
}

/// Repetitions with connections of their own, renewed as in the ladder.
absl::Status doctor_run::raw_against_raw() {
  auto null = start_null(wire::protocol::mongo, options_.cpu);
  if (!null.ok()) return null.status();
  wire::watchdog dog{std::chrono::milliseconds(static_cast<std::int64_t>(options_.timeout_s * 1000))};
  const auto cells = aa_cells(*bench::find_op("ping"), {.null = null->get()}, dog);
  aa_tally tally;
  for (std::uint64_t i = 0; i < options_.aa && !stop_; ++i) {
    const auto outcome = bench::run(cells, {.budget_s = 3600,
                                            .precision = {},
                                            .max_rows = aa_rows,
                                            .seed = options_.seed + i,
                                            .cpu = options_.cpu,
                                            .stop = &stop_,
                                            .on_progress = {}});
    if (!outcome.status.ok()) return outcome.status;
    count(outcome, tally);
    bar_.show(static_cast<double>(i + 1) / static_cast<double>(options_.aa), "raw against raw");
  }
  bar_.clear();
  if (tally.repetitions > 0) judge(std::move(tally));
  return absl::OkStatus();
}

void doctor_run::count(const bench::run_outcome& outcome, aa_tally& tally) const {
  for (const auto& pair : bench::compare(outcome.cells, default_delta)) {
    if (pair.asks != bench::question::overhead || !pair.lo) continue;
    ++tally.repetitions;
    tally.log_ratios.push_back(std::abs(std::log(*pair.ratio)));
    if (*pair.lo > 1 || *pair.hi < 1) ++tally.excluded;
    if (pair.says == bench::verdict::faster || pair.says == bench::verdict::slower) ++tally.verdicts;
  }
}

void doctor_run::judge(aa_tally tally) {
  auto& ratios = tally.log_ratios;
  std::sort(ratios.begin(), ratios.end());
  const auto p95 = ratios[(ratios.size() * 95 + 99) / 100 - 1];
  const auto limit = honest_limit(tally.repetitions);
  fmt::print(
      "raw against raw       {} times {} rows: {} intervals exclude 1 (an honest tool: at most {}), {} "
      "verdicts\n",
      tally.repetitions, aa_rows, tally.excluded, limit, tally.verdicts);
  fmt::print("A/A floor             {:.2f} % (95th percentile of |ln ratio|)\n", p95 * 100);
  if (tally.excluded > limit) fit_ = false;
}

}  // namespace

void add_doctor(CLI::App& program, int& code) {
  auto options = std::make_shared<doctor_options>();
  auto* command = program.add_subcommand(
      "doctor",
      "Looks at the clock, the pinning, the loopback and at what the method finds where there is nothing to "
      "be\n"
      "found: the raw client compared with itself, as the ladder compares it with a driver.\n\n"
      "  wirebench doctor\n"
      "  wirebench doctor --aa 200        some ten minutes");
  command->add_option("--aa", options->aa, "repetitions of raw against raw")
      ->check(CLI::Range(1, 10000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "of the order of rounds")
      ->check(CLI::NonNegativeNumber)  // "-1" would wrap around
      ->type_name("N")
      ->capture_default_str();
  add_cpu(*command, options->cpu);
  add_timeout(*command, options->timeout_s);
  command->add_flag("--quiet", options->quiet, "no progress bar");
  command->add_flag("--strict", options->strict, "end with exit code 4 when the machine is not fit");
  command->callback([options, &code] { code = doctor_run(*options).whole(); });
}

}  // namespace tools
