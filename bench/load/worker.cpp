#include "bench/load/worker.hpp"

#include "bench/placement.hpp"

#include <sys/prctl.h>

#include <pthread.h>

#include <exception>

#include "absl/cleanup/cleanup.h"

namespace bench::load {

worker::worker(run_state& state, std::size_t first, std::size_t step) : state_(state), recorder_(state) {
  for (auto number = first; number < state.how.connections; number += step) {
    connections_.push_back(std::make_unique<connection>(state, recorder_, number));
  }
}

worker::~worker() {
  if (thread_.joinable()) thread_.join();
}

void worker::start(std::latch& opened, std::latch& go, std::function<void()> ended) {
  thread_ = std::thread([this, &opened, &go, ended = std::move(ended)] {
    whole(opened, go);
    ended();
  });
}

void worker::whole(std::latch& opened, std::latch& go) {
  ::pthread_getcpuclockid(::pthread_self(), &cpu_clock_);
  // Linux lets sleeping threads oversleep by 50 us; with an open loop that would be schedule lag of our own making.
  if (state_.schedule) ::prctl(PR_SET_TIMERSLACK, 1);
  std::optional<pinned_thread> pinned;
  absl::Status status;
  if (state_.how.cpu) {
    auto to = pinned_thread::to(*state_.how.cpu);
    status = to.status();
    if (to.ok()) pinned.emplace(*std::move(to));
  }
  if (status.ok()) status = open_all();
  if (!status.ok()) state_.fail(status);
  opened.count_down();
  go.wait();
  if (auto driven = drive_all(); !driven.ok()) state_.fail(driven);
  recorder_.end_usage();
  whole_cpu_ns_ = cpu_clock_ns(cpu_clock_).value_or(0);
}

std::int64_t worker::cpu_ns() const {
  const auto so_far = cpu_clock_ns(cpu_clock_);  // first: when there is none any more, the whole has been set
  const auto whole = whole_cpu_ns_.load();
  return whole != 0 ? whole : so_far.value_or(0);
}

absl::Status worker::open_all() {
  for (const auto& each : connections_) {
    state_.stop_if_asked();
    if (state_.over()) break;  // thousands may be left
    if (auto status = each->open(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status worker::drive_all() try {
  if (state_.over()) return absl::OkStatus();
  wire::loop loop(state_.how.io);
  const absl::Cleanup all_leave = [this] {  // before the loop goes, and so when it throws, too
    for (const auto& each : connections_) each->leave_loop();
  };
  for (const auto& each : connections_) loop.spawn(each->drive(loop));
  loop.run();
  return absl::OkStatus();
} catch (const std::exception& thrown) {  // Asio's: no descriptors left, say
  return absl::UnavailableError(thrown.what());
}

}  // namespace bench::load
