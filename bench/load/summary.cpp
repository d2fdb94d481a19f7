#include "bench/load/summary.hpp"

#include "bench/placement.hpp"
#include "bench/recording_cost.hpp"

#include <algorithm>
#include <cmath>

namespace bench::load {
namespace {

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

std::string name(wire::loop::kind io) {
  return io == wire::loop::kind::blocking ? "blocking" : std::string(wire::loop::reactor_name());
}

class summing {
 public:
  summing(run_state& state, const workers& of, observer& eye);

  cell whole();

 private:
  void parameters();
  void end();
  void latencies();
  void arrivals();
  void work();
  void cpu();
  void errors();
  void connections();

  double per_op(double total) const { return total / static_cast<double>(of_.ops); }

  run_state& state_;
  const plan& plan_;
  const workers& workers_;
  const observer& eye_;
  recording all_;
  histogram service_;
  cell cell_;
  figures of_;
};

summing::summing(run_state& state, const workers& of, observer& eye)
    : state_(state), plan_(state.how), workers_(of), eye_(eye), all_(eye.take_told()) {
  for (const auto& each : workers_) {
    all_.merge(each->recorded().take_handed_over());
    all_.merge(each->recorded().own());
  }
  service_ = all_.service_of_all();
}

cell summing::whole() {
  parameters();
  end();
  cell_.rounds = eye_.rounds();
  summarize(cell_);
  latencies();
  if (state_.schedule) arrivals();
  if (of_.ops > 0) {
    work();
    cpu();
  }
  errors();
  connections();
  of_.record_ns = recording_cost_ns();
  cell_.load = std::move(of_);
  return std::move(cell_);
}

void summing::parameters() {
  of_.io = name(plan_.io);
  of_.connections = plan_.connections;
  of_.threads = plan_.threads;
  of_.pipeline = plan_.pipeline;
  of_.seed = plan_.seed;
  of_.max_tries = plan_.max_tries;
  of_.reconnect_every = plan_.reconnect_every;
  of_.warm_up_s = seconds(plan_.warm_up_ns);
  const bool same_cpu = plan_.cpu && state_.placed().ok();
  cell_.what.placement = bench::name(same_cpu ? placement::same_cpu : placement::unpinned);
}

void summing::end() {
  const auto failure = state_.failure();
  if (!failure.ok()) of_.failure = std::string(failure.message());
  const bool stopped = plan_.stop != nullptr && plan_.stop->load();
  of_.ended_by = !failure.ok() ? "failure" : stopped ? "stop" : plan_.count ? "count" : "duration";

  auto until_ns = state_.ended_ns();
  if (until_ns == run_state::never) until_ns = state_.measure_ns;
  for (const auto& each : workers_) until_ns = std::max(until_ns, each->recorded().last_end_ns());
  of_.elapsed_s = seconds(std::max<std::int64_t>(until_ns - state_.measure_ns, 0));
  of_.ops = service_.count();
  if (of_.ops == 0) return;
  of_.ops_per_s = static_cast<double>(of_.ops) / of_.elapsed_s;
  // What was late is sent on, but that is no more of the schedule's time.
  if (state_.schedule && until_ns > state_.end_ns) {
    of_.ops_per_s =
        static_cast<double>(of_.ops - all_.ended_late) / seconds(state_.end_ns - state_.measure_ns);
  }
  const auto busy_s = static_cast<double>(service_.sum_ns()) / 1e9;
  of_.closed_loop_share = busy_s / (static_cast<double>(of_.connections * of_.pipeline) * of_.elapsed_s);
}

void summing::latencies() {
  cell_.latency = summarize(service_);
  if (of_.ops > 0) of_.delayed_ack_share = delayed_ack_share(service_);
  if (plan_.latency_limit_ns) {
    of_.latency_limit_ms = static_cast<double>(*plan_.latency_limit_ns) / 1e6;
    of_.above_limit = ops_above(all_.response ? *all_.response : service_, *plan_.latency_limit_ns);
  }
  if (plan_.mix.size() == 1) return;
  for (std::size_t i = 0; i < plan_.mix.size(); ++i) {
    of_.by_op.push_back({plan_.mix[i].name, plan_.mix[i].weight, summarize(all_.service[i])});
  }
}

void summing::arrivals() {
  schedule_figures schedule{.rate = plan_.open_loop->rate,
                            .arrivals = plan_.open_loop->how == spacing::poisson ? "poisson" : "fixed",
                            .response = summarize(*all_.response),
                            .lag_max_ns = all_.lag_max_ns};
  if (of_.ops > 0) schedule.lag_mean_ns = per_op(all_.lag_sum_ns);
  schedule.never_sent = all_.never_sent;
  // With a count that was reached, the schedule ends with the last send.
  const auto ended_ns = state_.ended_ns() == run_state::never ? all_.last_sent_ns : state_.ended_ns();
  schedule.never_sent += state_.schedule->take_all_between(state_.measure_ns, ended_ns);
  schedule.backlog = schedule.never_sent + all_.late_ops;

  // Arrivals vary by the root of their number, and each connection may have one under way.
  const auto due = static_cast<double>(of_.ops + all_.failed_ops + schedule.never_sent);
  const auto slack = static_cast<double>(of_.connections) + due / 100;
  const auto planned = schedule.rate * seconds(ended_ns - state_.measure_ns);
  schedule.kept =
      static_cast<double>(schedule.backlog) <= slack && planned - due <= slack + 3 * std::sqrt(due);
  of_.schedule = std::move(schedule);
}

/// Bytes and system calls, by the client's own count where it has one, else by the peer's.
void summing::work() {
  std::optional<traffic> moved;
  std::optional<std::uint64_t> syscalls;
  for (const auto& each : workers_) {
    for (const auto& connection : each->connections()) {
      const auto counted = connection->counted();
      if (counted.moved) moved = moved ? *moved + *counted.moved : *counted.moved;
      if (counted.syscalls) syscalls = syscalls.value_or(0) + *counted.syscalls;
    }
  }
  auto ops = static_cast<double>(of_.ops);
  if (const auto seen = eye_.seen(); !moved && seen && seen->peer) {
    moved = seen->peer;
    ops = static_cast<double>(seen->ops);
  }
  auto& to = cell_.per_op;
  // A reactor's waits and the ring's calls are its own, and serve many ops: what channels count is not what was called.
  if (syscalls && plan_.io == wire::loop::kind::blocking) to.syscalls = static_cast<double>(*syscalls) / ops;
  if (!moved) return;
  to.frames_out = static_cast<double>(moved->frames_out) / ops;
  to.frames_in = static_cast<double>(moved->frames_in) / ops;
  to.bytes_out = static_cast<double>(moved->bytes_out) / ops;
  to.bytes_in = static_cast<double>(moved->bytes_in) / ops;
  of_.bytes_out_per_s = *to.bytes_out * of_.ops_per_s;
  of_.bytes_in_per_s = *to.bytes_in * of_.ops_per_s;
}

void summing::cpu() {
  usage used;
  for (const auto& each : workers_) {
    const auto by_thread = each->recorded().used();
    if (!by_thread) continue;
    used.client_cpu_ns += by_thread->client_cpu_ns;
    used.voluntary_switches += by_thread->voluntary_switches;
    used.involuntary_switches += by_thread->involuntary_switches;
  }
  cell_.per_op.client_cpu_ns = per_op(static_cast<double>(used.client_cpu_ns));
  of_.client_cpus = seconds(used.client_cpu_ns) / of_.elapsed_s;
  of_.voluntary_switches = per_op(static_cast<double>(used.voluntary_switches));
  of_.involuntary_switches = per_op(static_cast<double>(used.involuntary_switches));
  const auto seen = eye_.seen();
  cell_.per_op.server_cpu_ns.reset();
  if (!seen || !seen->server_cpu_ns) return;
  cell_.per_op.server_cpu_ns = static_cast<double>(*seen->server_cpu_ns) / static_cast<double>(seen->ops);
  of_.server_cpus = seconds(*seen->server_cpu_ns) / seconds(seen->elapsed_ns);
}

void summing::errors() {
  for (const auto& [kind, errors] : all_.by_kind) of_.errors.push_back({kind, errors.count, errors.first});
  of_.failed_ops = all_.failed_ops;
  of_.retried_ops = all_.retried_ops;
  of_.retries = all_.retries;
}

void summing::connections() {
  of_.connects = all_.connects_ns.size();
  of_.connect_ns = spread_of({all_.connects_ns.begin(), all_.connects_ns.end()});
  std::vector<double> ops;
  for (const auto& each : workers_) {
    for (const auto& connection : each->connections()) {
      ops.push_back(static_cast<double>(connection->ops()));
      of_.given_up += connection->given_up() ? 1 : 0;
    }
  }
  if (of_.connections > 1) of_.ops_of_connection = spread_of(std::move(ops));
}

}  // namespace

cell sum_up(run_state& state, const workers& of, observer& eye) {
  return summing(state, of, eye).whole();
}

}  // namespace bench::load
