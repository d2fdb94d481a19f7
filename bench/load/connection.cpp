#include "bench/load/connection.hpp"

#include "bench/clock.hpp"
#include "bench/placement.hpp"
#include "bench/server_error.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace bench::load {
namespace {

// A round is begun and ended outside of the ops' times. So many ops let a transaction that lasts a round (lowrite) stay
// short, and cost the others two empty calls in 64 ops.
constexpr std::uint64_t ops_per_round = 64;

// Longest sleep between two looks at whether the run is over.
constexpr std::int64_t nap_ns = 100'000'000;

// Pause before the second attempt to reconnect; it doubles from one to the next.
constexpr std::int64_t first_pause_ns = 10'000'000;

wire::loop::clock::time_point at(std::int64_t ns) {
  return wire::loop::clock::time_point(std::chrono::nanoseconds(ns));  // CLOCK_MONOTONIC, like now_ns()
}

/// The connection is gone, but a new one may serve.
bool lost(const absl::Status& error) {
  return error.code() == absl::StatusCode::kUnavailable ||
         error.code() == absl::StatusCode::kDeadlineExceeded;
}

std::vector<std::uint32_t> weights_of(const std::vector<mixed_op>& ops) {
  std::vector<std::uint32_t> weights;
  for (const auto& each : ops) weights.push_back(each.weight);
  return weights;
}

}  // namespace

connection::connection(run_state& state, recorder& into, std::size_t number)
    : state_(state),
      recorder_(into),
      mix_(weights_of(state.how.mix), state.how.seed + number),
      in_flight_(state.how.mix.size() * state.how.pipeline),
      next_slot_(state.how.mix.size()) {}

absl::Status connection::open() {
  const auto start = now_ns();
  auto opened = state_.how.open();
  if (!opened.ok()) {
    recorder_.own().add_error(opened.status());
    return opened.status();
  }
  recorder_.own().connects_ns.push_back(now_ns() - start);
  session_ = *std::move(opened);
  on_this_session_ = 0;
  place();
  if (measuring_) begin_counting();
  auto status = begin_round();
  if (!status.ok()) recorder_.own().add_error(status);
  return status;
}

void connection::place() {
  const auto* peer = state_.how.served_by;
  server_ = peer->pid();
  if (const auto told = session_.ops.front()->server_pid(); peer->local() && told) server_ = told;
  // A server with one process for all connections hands its cpu on to the threads that it starts. Looking for them again is
  // work of this thread, whose CPU time is the ops'.
  if (!state_.how.cpu || (server_ && server_ == pinned_)) return;
  pinned_ = server_;
  state_.could_not_place(
      server_ ? pin_process(*server_, *state_.how.cpu)
              : absl::FailedPreconditionError("the server's process is not known and was not pinned"));
}

wire::task connection::drive(wire::loop& loop) {
  loop_ = &loop;
  join_loop();
  next_start now = now_ns();
  while (now && !ended(*now)) {
    if (session_.ops.empty()) {
      co_await loop.sleep_until(at(retry_ns_));
      now = reconnect();
      continue;
    }
    if (state_.how.pipeline > 1) {
      codecs::window window(state_.how.pipeline, *this);
      last_ns_ = *now;
      codecs::error_code error;
      if (async_) {
        error = co_await async_->async_run(window);
      } else {
        error = session_.exchanges.front()->channel().run(window);
      }
      now = after_window(error);
      continue;
    }
    const auto due = next_due(*now);
    while (*now < due && !ended(*now)) {
      co_await loop.sleep_until(at(std::min(due, *now + nap_ns)));
      now = now_ns();
    }
    if (!may_start(due, *now)) break;
    attempt op{.op = mix_.next(), .due_ns = due, .sent_ns = *now, .tries = 1};
    absl::Status status;
    do {
      if (async_) {
        auto& exchange = *session_.exchanges[op.op];
        status = exchange.outcome(co_await async_->async_run(exchange.next_op()));
      } else {
        status = session_.ops[op.op]->run(1);
      }
    } while (!status.ok() && try_again(op, status));
    now = status.ok() ? completed(op, now_ns()) : recover(status);
  }
  stop_counting();
}

void connection::join_loop() {
  if (state_.how.io == wire::loop::kind::reactor)
    async_.emplace(*loop_, session_.exchanges.front()->channel());
}

/// Closed loop: now.
std::int64_t connection::next_due(std::int64_t now_ns) {
  return state_.schedule ? state_.schedule->take() : now_ns;
}

bool connection::ended(std::int64_t now_ns) const {
  return now_ns >= state_.last_send_ns || state_.over();
}

/// Whether an op that is due then is to be run; the first one behind the warm-up begins the counting.
bool connection::may_start(std::int64_t due_ns, std::int64_t now_ns) {
  if (due_ns >= state_.end_ns) return false;
  if (ended(now_ns)) {
    const bool was_due = due_ns >= state_.measure_ns && due_ns <= now_ns;  // a stop may come before it is
    if (was_due && state_.schedule) ++recorder_.own().never_sent;
    return false;
  }
  if (due_ns < state_.measure_ns) return true;
  if (!measuring_) begin_counting();
  return state_.take_one();
}

/// Counts the error; the op is tried again when it may pass and there are tries left.
bool connection::try_again(attempt& op, const absl::Status& status) {
  auto& own = recorder_.own();
  own.add_error(status);
  if (passes(kind_of(status)) && op.tries < state_.how.max_tries) {
    own.retried_ops += op.tries == 1 ? 1 : 0;
    ++own.retries;
    ++op.tries;
    return true;
  }
  ++own.failed_ops;
  return false;
}

connection::next_start connection::completed(const attempt& op, std::int64_t end_ns) {
  recorder_.completed(op.op, op.due_ns, op.sent_ns, end_ns);
  if (measuring_) ++ops_;
  ++on_this_session_;
  if (recorder_.hand_over_due(end_ns)) [[unlikely]] {
    recorder_.hand_over(end_ns);
    end_ns = now_ns();
  }
  return --left_in_round_ == 0 ? next_round() : end_ns;
}

connection::next_start connection::next_round() {
  if (state_.how.reconnect_every != 0 && on_this_session_ >= state_.how.reconnect_every) {
    disconnect();
    return reconnect();
  }
  auto status = renew_round();
  if (status.ok()) return now_ns();
  recorder_.own().add_error(status);
  return recover(status);
}

/// Rounds begin and end with blocking ops, for which the connection must be off the loop.
absl::Status connection::renew_round() {
  async_.reset();
  auto status = end_round();
  if (status.ok()) status = begin_round();
  if (status.ok()) join_loop();
  return status;
}

absl::Status connection::begin_round() {
  left_in_round_ = std::numeric_limits<std::uint64_t>::max();
  for (const auto& each : session_.ops) {
    if (!each->works_in_rounds()) continue;
    left_in_round_ = ops_per_round;
    if (auto status = each->before(); !status.ok()) return status;
  }
  if (const auto every = state_.how.reconnect_every; every != 0) {
    left_in_round_ = std::clamp<std::uint64_t>(every - on_this_session_, 1, left_in_round_);
  }
  return absl::OkStatus();
}

absl::Status connection::end_round() {
  for (const auto& each : session_.ops) {
    if (!each->works_in_rounds()) continue;
    if (auto status = each->after(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

/// After an op that failed: whether and when the next one starts.
connection::next_start connection::recover(const absl::Status& why) {
  if (lost(why)) {
    disconnect();
    return now_ns();
  }
  const bool refused = why.code() == absl::StatusCode::kFailedPrecondition;
  const bool may_work = on_this_session_ > 0 || passes(kind_of(why));  // and not: the table is missing, say
  if (refused && may_work) {
    if (!renew_round().ok()) disconnect();  // a transaction that has failed needs it
    return now_ns();
  }
  state_.fail(why);
  return std::nullopt;
}

void connection::disconnect() {
  stop_counting();
  async_.reset();
  session_ = {};
  lost_ns_ = retry_ns_ = now_ns();
  pause_ns_ = first_pause_ns;
}

/// One attempt; when it fails, the next one is made after a pause that doubles.
connection::next_start connection::reconnect() {
  const auto status = open();
  const auto now = now_ns();
  if (status.ok()) {
    join_loop();
    return now_ns();
  }
  session_ = {};
  if (!lost(status)) state_.fail(status);
  given_up_ = !lost(status) || now - lost_ns_ >= state_.how.give_up_ns;
  if (given_up_) return std::nullopt;
  retry_ns_ = now + pause_ns_;
  pause_ns_ = std::min(2 * pause_ns_, nap_ns);
  return now;
}

codecs::exchange* connection::next() {
  if (!window_failure_.ok() || ended(last_ns_) || !may_start(last_ns_, last_ns_)) return nullptr;
  const auto op = mix_.next();
  const auto slot = op * state_.how.pipeline + next_slot_[op]++ % state_.how.pipeline;
  in_flight_[slot] = {.op = op, .due_ns = last_ns_, .sent_ns = last_ns_, .tries = 1};
  slots_in_order_.push_back(slot);
  return &session_.exchanges[slot]->next_op();
}

/// Replies come in the order of the requests. A refusal is of that op alone; what breaks the stream ends the window.
void connection::completed(codecs::exchange& op, codecs::progress how) {
  last_ns_ = now_ns();
  const auto slot = slots_in_order_.front();
  slots_in_order_.pop_front();
  const auto& workload = *session_.exchanges[slot];
  const bool by_server = op.why().cause.code == codecs::errc::remote_server_error;
  if (how == codecs::progress::failed && !by_server) {
    ++recorder_.own().failed_ops;  // why, and what becomes of those behind it: after_window()
    return;
  }
  const auto status =
      how == codecs::progress::failed ? workload.refused(op.why().sentence()) : workload.outcome({});
  if (status.ok()) {
    completed(in_flight_[slot], last_ns_);
    return;
  }
  recorder_.own().add_error(status);
  ++recorder_.own().failed_ops;
  const bool never_worked = on_this_session_ == 0;
  if (status.code() == absl::StatusCode::kDataLoss || never_worked) window_failure_ = status;
}

/// Whether ops go on after a window: it ends with the run, or with the stream.
connection::next_start connection::after_window(codecs::error_code error) {
  if (!window_failure_.ok()) {
    state_.fail(window_failure_);
    return std::nullopt;
  }
  if (!error) return std::nullopt;
  const auto why = session_.exchanges.front()->outcome(error);
  recorder_.own().add_error(why);
  recorder_.own().failed_ops += slots_in_order_.size();
  slots_in_order_.clear();
  return recover(why);
}

void connection::begin_counting() {
  measuring_ = true;
  recorder_.begin_usage();
  base_ = {session_.ops.front()->syscalls(), session_.ops.front()->counted()};
}

/// Adds what this session has counted.
void connection::stop_counting() {
  if (!measuring_ || session_.ops.empty()) return;
  if (const auto now = session_.ops.front()->syscalls()) {
    done_.syscalls = done_.syscalls.value_or(0) + *now - *base_.syscalls;
  }
  if (const auto now = session_.ops.front()->counted()) {
    const auto moved = *now - *base_.moved;
    done_.moved = done_.moved ? *done_.moved + moved : moved;
  }
}

}  // namespace bench::load
