#include "tools/tight_loop.hpp"

#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libpq.hpp"
#include "bench/environment.hpp"
#include "bench/ladder.hpp"
#include "bench/load/findings.hpp"
#include "bench/load/open_session.hpp"
#include "bench/load/runner.hpp"
#include "bench/placement.hpp"
#include "bench/report_console.hpp"

#include "tools/exit_code.hpp"
#include "tools/load_progress.hpp"
#include "tools/mix_option.hpp"
#include "tools/peers.hpp"
#include "tools/stop_flag.hpp"
#include "tools/uring_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tools {
namespace {

std::int64_t ns(double seconds) {
  return std::llround(seconds * 1e9);
}

class tight_loop {
 public:
  explicit tight_loop(const run_options& options) : options_(options) {}

  int whole();

 private:
  absl::Status prepare();
  absl::Status prepare_mix();
  void prepare_schedule();
  absl::Status prepare_io();
  absl::Status check_pipeline() const;
  absl::Status start_peer();
  absl::StatusOr<bench::load::session_options> session() const;
  absl::Status change_server(absl::Status (*change)(const bench::op&, const bench::peer&, wire::watchdog&));
  bench::labels labels() const;
  bench::result as_result(bench::load::outcome came) const;

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
  const auto shown =
      save_and_print(as_result(std::move(came)), "run", options_.output, bench::report_console);
  status.Update(change_server(bench::clean_up_server));
  status.Update(shown);
  return report(status, stop_);
}

absl::Status tight_loop::prepare() {
  if (auto status = prepare_mix(); !status.ok()) return status;
  if (auto status = prepare_io(); !status.ok()) return status;
  prepare_schedule();
  plan_.give_up_ns = ns(options_.timeout_s);
  plan_.stop = &stop_;
  if (options_.progress && !options_.output.quiet) {
    plan_.on_second = [json = options_.output.json](const bench::load::second& last) {
      print_second(last, json);
    };
  }
  if (auto status = bench::load::check(plan_); !status.ok()) return status;
  return start_peer();
}

absl::Status tight_loop::prepare_mix() {
  auto words = options_.ops;
  if (words.empty() && !options_.sql.empty()) words.emplace_back(bench::workloads::sql_op);
  if (words.empty())
    return absl::InvalidArgumentError(
        "name an op of `wirebench ladder --list`, or give a statement with --sql");
  auto mix = parse_mix(words, !options_.sql.empty());
  if (!mix.ok()) return mix.status();
  plan_.mix = *std::move(mix);
  protocol_ = find_mixed_op(plan_.mix.front().name)->protocol;
  const auto own = [](const bench::load::mixed_op& each) { return each.name == bench::workloads::sql_op; };
  if (!options_.sql.empty() && std::none_of(plan_.mix.begin(), plan_.mix.end(), own))
    return absl::InvalidArgumentError(
        "the statement of --sql is the op 'sql', which is not among the ops: add it, or leave the others "
        "out");
  if (options_.max_tries > 1 && protocol_ != wire::protocol::pg)
    return absl::InvalidArgumentError(
        "--max-tries is for PostgreSQL: no error of a MongoDB server is tried again");
  return absl::OkStatus();
}

/// For how long, and when each op is due.
void tight_loop::prepare_schedule() {
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
  if (options_.nagle && options_.io == "uring")
    return absl::InvalidArgumentError(
        "--nagle makes two writes of a request, io_uring makes one: leave one of the two out");
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
                                          : start_real(options_.against, protocol_, plan_.cpu, timeout);
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
  if (!options_.sql.empty()) {
    cell.load->sql = options_.sql;
    cell.load->parameters = options_.parameters;
  }
  measured.warnings = bench::doubts(measured.context, measured.clock);
  for (auto& doubt : bench::load::doubts(cell)) measured.warnings.push_back(std::move(doubt));
  bench::drop_given_flags(measured.warnings, options_.command_line);
  measured.cells.push_back(std::move(cell));
  return measured;
}

}  // namespace

int run_tight_loop(const run_options& options) {
  return tight_loop(options).whole();
}

}  // namespace tools
