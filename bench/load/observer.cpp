#include "bench/load/observer.hpp"

#include <algorithm>

namespace bench::load {
namespace {

constexpr std::int64_t round_ns = 100'000'000;
constexpr std::int64_t second_ns = 1'000'000'000;

}  // namespace

observer::observer(run_state& state, const workers& of)
    : state_(state),
      workers_(of),
      servers_(servers()),
      told_(state.how.mix.size(), state.schedule.has_value()),
      next_look_ns_(state.begin_ns + round_ns),
      told_ns_(state.begin_ns),
      // The threads hand over at the end of each second, once the op is over that they are at.
      next_second_ns_(state.begin_ns + second_ns + round_ns / 2) {
  if (state_.how.warm_up_ns == 0) look(state_.begin_ns);
}

/// Every process that serves a connection, once.
std::vector<pid_t> observer::servers() const {
  std::vector<pid_t> pids;
  for (const auto& each : workers_) {
    for (const auto& connection : each->connections()) {
      const auto pid = connection->server();
      if (!pid) return {};
      pids.push_back(*pid);
    }
  }
  std::sort(pids.begin(), pids.end());
  pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
  return pids;
}

observer::reading observer::read(std::int64_t now_ns) {
  reading now{.at_ns = now_ns, .peer = state_.how.served_by->counted()};
  for (const auto& each : workers_) {
    now.ops += each->recorded().completed();
    now.client_cpu_ns += each->cpu_ns();
  }
  if (!servers_.empty()) now.server_cpu_ns = 0;
  for (const auto pid : servers_) {
    const auto spent = process_cpu_ns(pid);
    now.server_cpu_ns =
        now.server_cpu_ns && spent ? std::optional(*now.server_cpu_ns + *spent) : std::nullopt;
  }
  return now;
}

void observer::look(std::int64_t now_ns) {
  if (!measured_from_ && now_ns >= state_.measure_ns) {
    measured_from_ = round_from_ = last_ = read(now_ns);
  } else if (measured_from_) {
    last_ = read(now_ns);
    close_round(last_, false);
  }
  if (state_.how.on_second && now_ns >= next_second_ns_) tell_second(now_ns);
  next_look_ns_ = std::max(next_look_ns_ + round_ns, now_ns);
  if (!measured_from_) next_look_ns_ = std::min(next_look_ns_, state_.measure_ns);
}

void observer::last_look(std::int64_t now_ns) {
  if (!measured_from_) return;
  last_ = read(now_ns);
  close_round(last_, true);
}

void observer::close_round(const reading& now, bool last) {
  if (now.ops == round_from_.ops) {
    const bool waited = last && !state_.schedule && !rounds_.empty();
    if (waited) add(round_from_, now, rounds_.back());
    return;
  }
  round timed{.row = rounds_.size()};
  if (now.server_cpu_ns && round_from_.server_cpu_ns) timed.server_cpu_ns = 0;
  add(round_from_, now, timed);
  // What is left at the end may be too short to be a sample of its own.
  if (last && timed.elapsed_ns < round_ns / 2 && !rounds_.empty()) return;
  rounds_.push_back(timed);
  round_from_ = now;
}

void observer::add(const reading& from, const reading& to, round& timed) {
  timed.ops += to.ops - from.ops;
  timed.elapsed_ns += to.at_ns - from.at_ns;
  timed.client_cpu_ns += to.client_cpu_ns - from.client_cpu_ns;
  const bool known = timed.server_cpu_ns && from.server_cpu_ns && to.server_cpu_ns;
  timed.server_cpu_ns =
      known ? std::optional(*timed.server_cpu_ns + *to.server_cpu_ns - *from.server_cpu_ns) : std::nullopt;
}

void observer::tell_second(std::int64_t now_ns) {
  recording last(state_.how.mix.size(), state_.schedule.has_value());
  for (const auto& each : workers_) last.merge(each->recorded().take_handed_over());
  const auto latency = last.service_of_all();
  state_.how.on_second(
      {.at_s = static_cast<double>(now_ns - state_.begin_ns) / 1e9,
       .warming_up = now_ns - second_ns < state_.measure_ns,
       .ops_per_s = static_cast<double>(latency.count()) * 1e9 / static_cast<double>(now_ns - told_ns_),
       .latency = latency,
       .errors = last.errors()});
  told_.merge(last);
  told_ns_ = now_ns;
  next_second_ns_ += second_ns;
}

std::optional<observer::measured_part> observer::seen() const {
  if (!measured_from_ || last_.ops == measured_from_->ops) return std::nullopt;
  const auto& from = *measured_from_;
  measured_part part{.ops = last_.ops - from.ops, .elapsed_ns = last_.at_ns - from.at_ns};
  if (from.server_cpu_ns && last_.server_cpu_ns)
    part.server_cpu_ns = *last_.server_cpu_ns - *from.server_cpu_ns;
  if (from.peer && last_.peer) part.peer = *last_.peer - *from.peer;
  return part;
}

}  // namespace bench::load
