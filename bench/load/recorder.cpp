#include "bench/load/recorder.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace bench::load {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;

}  // namespace

recorder::recorder(const run_state& state)
    : state_(state),
      own_(state.how.mix.size(), state.schedule.has_value()),
      hand_over_ns_(state.how.on_second ? 0 : std::numeric_limits<std::int64_t>::max()),
      handed_over_(state.how.mix.size(), state.schedule.has_value()) {}

void recorder::completed_late(std::int64_t due_ns, std::int64_t sent_ns, std::int64_t end_ns) {
  own_.response->record(end_ns - due_ns);
  const auto lag_ns = sent_ns - due_ns;
  own_.lag_sum_ns += static_cast<double>(lag_ns);
  own_.lag_max_ns = std::max(own_.lag_max_ns, lag_ns);
  own_.last_sent_ns = std::max(own_.last_sent_ns, sent_ns);
  if (sent_ns >= state_.end_ns) ++own_.late_ops;
  if (end_ns >= state_.end_ns) ++own_.ended_late;
}

void recorder::begin_usage() {
  if (!began_) began_ = read_usage(std::nullopt);
}

void recorder::end_usage() {
  if (began_ && !used_) used_ = read_usage(std::nullopt) - *began_;
}

void recorder::hand_over(std::int64_t now_ns) {
  const auto seconds = (now_ns - state_.begin_ns) / second_ns + 1;
  hand_over_ns_ = state_.begin_ns + seconds * second_ns;
  const std::lock_guard lock(mutex_);
  handed_over_.merge(own_);
  own_.clear();
}

recording recorder::take_handed_over() {
  recording taken(state_.how.mix.size(), state_.schedule.has_value());
  const std::lock_guard lock(mutex_);
  std::swap(taken, handed_over_);
  return taken;
}

}  // namespace bench::load
