#include "bench/load/run_state.hpp"

#include "bench/clock.hpp"

#include <algorithm>

namespace bench::load {
namespace {

// How long the ops that were due are still sent after the end, so that their response times are known.
constexpr std::int64_t longest_drain_ns = 10'000'000'000;

}  // namespace

run_state::run_state(const plan& asked) : how(asked) {
  if (how.open_loop) schedule.emplace(how.open_loop->how, how.open_loop->rate, how.seed);
  if (how.count) left = static_cast<std::int64_t>(*how.count);
}

void run_state::begin(std::int64_t now_ns) {
  begin_ns = now_ns;
  measure_ns = begin_ns + how.warm_up_ns;
  end_ns = how.duration_ns ? measure_ns + *how.duration_ns : never;
  const bool drains = schedule && how.duration_ns;
  last_send_ns = drains ? end_ns + std::min(*how.duration_ns, longest_drain_ns) : end_ns;
  if (schedule) schedule->begin(begin_ns);
}

std::int64_t run_state::ended_ns() const {
  return std::min(end_ns, stopped_ns_.load());
}

void run_state::stop(std::int64_t at_ns) {
  auto still = never;
  stopped_ns_.compare_exchange_strong(still, at_ns);
}

void run_state::stop_if_asked() {
  if (how.stop != nullptr && how.stop->load()) stop(now_ns());
}

void run_state::fail(const absl::Status& cause) {
  const std::lock_guard lock(mutex_);
  failure_.Update(cause);
  stop(now_ns());
}

absl::Status run_state::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void run_state::could_not_place(const absl::Status& why) {
  const std::lock_guard lock(mutex_);
  placed_.Update(why);
}

absl::Status run_state::placed() const {
  const std::lock_guard lock(mutex_);
  return placed_;
}

}  // namespace bench::load
