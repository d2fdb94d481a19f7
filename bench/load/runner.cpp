#include "bench/load/runner.hpp"

#include "bench/clock.hpp"
#include "bench/load/summary.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <latch>
#include <mutex>

namespace bench::load {
namespace {

class load_run {
 public:
  explicit load_run(const plan& asked) : plan_(asked), state_(asked) {}

  outcome whole();

 private:
  void start_workers();
  void watch(observer& eye);
  bool wait_until(std::int64_t at_ns);
  bool all_given_up() const;

  const plan& plan_;
  run_state state_;
  std::latch opened_{static_cast<std::ptrdiff_t>(plan_.threads)};
  std::latch go_{1};
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t running_ = plan_.threads;
  workers workers_;  // last: its threads use all of the above
};

outcome load_run::whole() {
  start_workers();
  opened_.wait();
  state_.begin(now_ns());
  observer eye(state_, workers_);
  go_.count_down();
  watch(eye);

  eye.last_look(now_ns());
  if (all_given_up()) {
    state_.fail(absl::UnavailableError(
        fmt::format("every connection was lost, and none could be had again within {:g} s",
                    static_cast<double>(plan_.give_up_ns) / 1e9)));
  }
  return {state_.failure(), sum_up(state_, workers_, eye)};
}

void load_run::start_workers() {
  for (std::size_t i = 0; i < plan_.threads; ++i) {
    workers_.push_back(std::make_unique<worker>(state_, i, plan_.threads));
    workers_.back()->start(opened_, go_, [this] {
      const std::lock_guard lock(mutex_);
      --running_;
      ended_.notify_one();
    });
  }
}

bool load_run::all_given_up() const {
  for (const auto& each : workers_) {
    for (const auto& connection : each->connections()) {
      if (!connection->given_up()) return false;
    }
  }
  return true;
}

void load_run::watch(observer& eye) {
  while (!wait_until(eye.next_look_ns())) {
    state_.stop_if_asked();
    eye.look(now_ns());
  }
}

/// Whether all threads have ended by then.
bool load_run::wait_until(std::int64_t at_ns) {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, std::chrono::nanoseconds(at_ns - now_ns()), [this] { return running_ == 0; });
}

}  // namespace

absl::Status check(const plan& asked) {
  if (!asked.duration_ns || *asked.duration_ns >= asked.warm_up_ns) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "a run of {:g} s is shorter than its warm-up of {:g} s; raise --duration or lower --warm-up",
      static_cast<double>(*asked.duration_ns) / 1e9, static_cast<double>(asked.warm_up_ns) / 1e9));
}

outcome run(const plan& asked) {
  return load_run(asked).whole();
}

}  // namespace bench::load
