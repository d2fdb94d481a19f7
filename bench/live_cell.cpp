#include "bench/live_cell.hpp"

#include "bench/placement.hpp"
#include "bench/resources.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

// Starting values of the measurement method, part 3. Ops slower than 1 ms warm up by fewer: as many as fit
// into the time that the full number would take at 1 ms each.
constexpr std::uint64_t warm_up_ops = 1'000;
constexpr std::uint64_t reconnect_ops = 50;
constexpr std::int64_t slow_op_ns = 1'000'000;

/// Ops between two looks at the clock while warming up.
constexpr std::uint64_t largest_batch = 128;

}  // namespace

absl::Status live_cell::open() {
  work_.reset();
  auto opened = plan_.open();
  if (!opened.ok()) return named(opened.status());
  work_ = *std::move(opened);

  if (plan_.served_by == nullptr) return absl::OkStatus();
  server_ = plan_.served_by->pid();
  if (plan_.served_by->local() && work_->server_pid()) server_ = work_->server_pid();
  placed_ = server_ ? pin_process(*server_, cpu_)
                    : absl::FailedPreconditionError("the server's process is not known and was not pinned");
  return absl::OkStatus();
}

absl::Status live_cell::warm_up() {
  std::uint64_t ops = 0;
  std::int64_t spent_ns = 0;
  const auto enough_ops = [&] {
    return ops >= warm_up_ops || spent_ns >= static_cast<std::int64_t>(warm_up_ops) * slow_op_ns;
  };
  for (std::uint64_t batch = 1; spent_ns < warm_up_ns || !enough_ops();
       batch = std::min(2 * batch, largest_batch)) {
    const auto ns = timed_run(batch);
    if (!ns.ok()) return ns.status();
    ops += batch;
    spent_ns += *ns;
  }
  op_ns_ = static_cast<double>(spent_ns) / static_cast<double>(ops);
  return absl::OkStatus();
}

absl::Status live_cell::warm_connection() {
  const auto fitting = static_cast<std::uint64_t>(reconnect_ops * slow_op_ns / op_ns_);
  return timed_run(std::clamp<std::uint64_t>(fitting, 1, reconnect_ops)).status();
}

absl::StatusOr<round> live_cell::time_round(std::uint64_t ops) {
  if (auto status = work_->before(); !status.ok()) return named(status);
  round timed{.ops = ops, .cpu_start = current_cpu()};
  const auto counted_before = counted();
  const auto syscalls_before = work_->syscalls();
  const auto copied_before = work_->copied_bytes();
  const auto round_trips_before = work_->round_trips();
  const auto stages_before = work_->stages();
  const auto delayed_before = delayed();
  const auto used_before = read_usage(server_);

  const auto start = now_();
  const auto status = work_->run(ops);
  timed.elapsed_ns = now_() - start;
  if (!status.ok()) return named(status);

  const auto used = read_usage(server_) - used_before;
  timed.cpu_end = current_cpu();
  timed.client_cpu_ns = used.client_cpu_ns;
  timed.server_cpu_ns = used.server_cpu_ns;
  timed.voluntary_switches = used.voluntary_switches;
  timed.involuntary_switches = used.involuntary_switches;
  timed.minor_faults = used.minor_faults;
  timed.major_faults = used.major_faults;
  if (syscalls_before) timed.syscalls = *work_->syscalls() - *syscalls_before;
  if (copied_before) timed.copied_bytes = *work_->copied_bytes() - *copied_before;
  if (round_trips_before) timed.round_trips = *work_->round_trips() - *round_trips_before;
  if (counted_before) timed.moved = *counted() - *counted_before;
  if (delayed_before) timed.delayed = *delayed() - *delayed_before;
  if (stages_before) timed.stages = *work_->stages() - *stages_before;

  if (auto after = work_->after(); !after.ok()) return named(after);
  timed.server_told_ns = work_->server_told_ns();
  return timed;
}

absl::StatusOr<std::int64_t> live_cell::timed_run(std::uint64_t ops) {
  if (auto status = work_->before(); !status.ok()) return named(status);
  const auto start = now_();
  if (auto status = work_->run(ops); !status.ok()) return named(status);
  const auto spent_ns = now_() - start;
  if (auto status = work_->after(); !status.ok()) return named(status);
  return spent_ns;
}

std::optional<traffic> live_cell::counted() const {
  if (auto own = work_->counted()) return own;
  return plan_.served_by != nullptr ? plan_.served_by->counted() : std::nullopt;
}

std::optional<delay_tally> live_cell::delayed() const {
  return plan_.served_by != nullptr ? plan_.served_by->delayed() : std::nullopt;
}

absl::Status live_cell::named(const absl::Status& status) const {
  return {status.code(), fmt::format("{}: {}", plan_.what.id, std::string(status.message()))};
}

}  // namespace bench
