#include "tools/self_comparison.hpp"

#include "wire/connect.hpp"

#include "bench/compare.hpp"
#include "bench/floor.hpp"
#include "bench/ladder.hpp"
#include "bench/runner.hpp"
#include "bench/workloads/floor_op.hpp"

#include "fixtures/echo.hpp"
#include "fixtures/process.hpp"

#include "tools/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tools {
namespace {

using bench::workloads::recorded_op;

/// The threshold that the ladder has when none is given.
constexpr double delta = 0.02;

constexpr double echo_budget_s = 6;

/// The floor client on a bare echo.
class floor_on_echo final : public bench::workload {
 public:
  floor_on_echo(std::unique_ptr<wire::transport> transport, const recorded_op& op)
      : transport_(std::move(transport)), floor_(transport_->native_handle(), op.request, op.reply_bytes) {}

  absl::Status run(std::uint64_t ops) override { return floor_.run(ops); }

 private:
  std::unique_ptr<wire::transport> transport_;
  bench::floor floor_;
};

absl::StatusOr<std::unique_ptr<bench::workload>> open_on_echo(int port, const recorded_op& op) {
  const auto to = wire::parse_endpoint(fmt::format("tcp:127.0.0.1:{}", port), wire::protocol::mongo);
  auto connected = wire::connect(*to.value, std::chrono::seconds(10));
  if (!connected.transport)
    return absl::UnavailableError("cannot connect to the echo: " + connected.error.message());
  return std::make_unique<floor_on_echo>(std::move(connected.transport), op);
}

/// One op's bytes. The watchdog's thread is gone again on return, so that processes may be forked.
absl::StatusOr<recorded_op> record_in_memory(const std::string& op, const bench::peer& null) {
  wire::watchdog dog{std::chrono::seconds(10)};
  const auto login = wire::parse_endpoint(null.tcp_uri());
  return bench::workloads::record(op, null, *login.value, dog);
}

/// What compare() makes of the cell on the rung `driver`; without a ratio when there were too few rows.
bench::comparison overhead_in(const bench::run_outcome& outcome) {
  const auto pairs = bench::compare(outcome.cells, delta);
  const auto found = std::find_if(pairs.begin(), pairs.end(),
                                  [](const auto& pair) { return pair.asks == bench::question::overhead; });
  return found == pairs.end() ? bench::comparison{} : *found;
}

/// Switches and faults are left out: they are a cell's own as well.
void count_disturbed(const bench::run_outcome& outcome, aa_tally& tally) {
  for (const auto& measured : outcome.cells) {
    for (const auto& timed : measured.rounds) {
      const auto& flags = timed.flags;
      tally.disturbed += flags.steal || flags.pressure || flags.taken || flags.migrated;
    }
    tally.rounds += measured.rounds.size();
  }
}

bench::run_options options_for(const self_comparison& how) {
  return {.budget_s = 3600,
          .precision = {},
          .max_rows = {},
          .seed = how.seed,
          .cpu = how.cpu,
          .stop = how.stop,
          .on_progress = {}};
}

}  // namespace

std::uint64_t aa_tally::honest_limit() const {
  constexpr double excluded_share = 0.05;
  double chance = std::pow(1 - excluded_share, repetitions);  // of exactly k, from k = 0 on
  double tail = 1 - chance;                                   // of more than k
  std::uint64_t k = 0;
  for (; tail > 0.01 && k < repetitions; ++k) {
    chance *= excluded_share / (1 - excluded_share) * static_cast<double>(repetitions - k) /
              static_cast<double>(k + 1);
    tail -= chance;
  }
  return k;
}

double aa_tally::floor() const {
  auto sorted = log_ratios;
  std::sort(sorted.begin(), sorted.end());
  return sorted[(sorted.size() * 95 + 99) / 100 - 1];
}

absl::StatusOr<aa_tally> raw_against_raw(std::uint64_t repetitions, const self_comparison& how) {
  auto null = start_null(wire::protocol::mongo, how.cpu);
  if (!null.ok()) return null.status();
  wire::watchdog dog{std::chrono::seconds(10)};
  auto cells = bench::plan_ladder(*bench::find_op("ping"), {"tcp0"}, {.null = null->get()}, dog);
  cells.push_back(cells.back());  // raw once more, in the driver's place
  cells.back().what.id = "ping/driver/raw";
  cells.back().what.rung = "driver";

  aa_tally tally;
  for (std::uint64_t i = 0; i < repetitions && !*how.stop; ++i) {
    auto options = options_for(how);
    options.max_rows = aa_tally::rows;
    options.seed = how.seed + i;
    const auto outcome = bench::run(cells, options);
    if (!outcome.status.ok()) return outcome.status;
    const auto pair = overhead_in(outcome);
    if (outcome.plan.rows < aa_tally::rows || !pair.lo) continue;  // stopped in its midst
    count_disturbed(outcome, tally);
    how.on_progress(static_cast<double>(i + 1) / static_cast<double>(repetitions));
    ++tally.repetitions;
    tally.log_ratios.push_back(std::abs(std::log(*pair.ratio)));
    if (*pair.lo > 1 || *pair.hi < 1) ++tally.excluded;
    if (pair.says == bench::verdict::faster || pair.says == bench::verdict::slower) ++tally.verdicts;
  }
  return tally;
}

absl::StatusOr<bench::comparison> null_over_echo(const std::string& op, const self_comparison& how) {
  const auto& what = *bench::find_op(op);
  auto null = start_null(what.protocol, how.cpu);
  if (!null.ok()) return null.status();
  const auto recorded = record_in_memory(op, **null);
  if (!recorded.ok()) return recorded.status();
  const auto echo = fixtures::process::start(how.cpu, [&recorded](int fd, fixtures::shared_counters&) {
    fixtures::serve_echo(fd, recorded->request.size(), std::vector<std::uint8_t>(recorded->reply_bytes, 'e'));
  });
  if (!echo.ok()) return echo.status();

  wire::watchdog dog{std::chrono::seconds(10)};  // a thread: only after the forks
  // The echo stands where raw does, twice, and floor on the null server where the driver does.
  auto cells = bench::plan_ladder(what, {"floor", "tcp0"}, {.null = null->get()}, dog);
  cells[0].what.rung = "driver";
  for (std::size_t i = 1; i < cells.size(); ++i) {
    cells[i].open = [&] { return open_on_echo(echo->tcp_port(), *recorded); };
  }
  auto options = options_for(how);
  options.budget_s = echo_budget_s;
  options.on_progress = [&](const bench::run_progress& now) {
    how.on_progress(now.elapsed_s / now.budget_s);
  };
  const auto outcome = bench::run(cells, options);
  if (!outcome.status.ok()) return outcome.status;
  return overhead_in(outcome);
}

}  // namespace tools
