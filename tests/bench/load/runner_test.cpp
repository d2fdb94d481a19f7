// Tight loops over workloads of the test's own: what is counted, what is not, and what becomes of errors.

#include "bench/load/runner.hpp"

#include "bench/load/run_state.hpp"
#include "bench/resources.hpp"
#include "bench/server_error.hpp"

#include "tests/bench/bare_peer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace bench::load {
namespace {

using namespace std::chrono_literals;

/// One op that is a function of its number, counted over all connections.
class scripted final : public workload {
 public:
  using script = std::function<absl::Status(std::uint64_t number)>;

  scripted(script op, std::atomic<std::uint64_t>& done) : op_(std::move(op)), done_(done) {}

  absl::Status run(std::uint64_t ops) override {
    absl::Status status;
    for (std::uint64_t i = 0; i < ops && status.ok(); ++i) status = op_(done_++);
    return status;
  }

 private:
  script op_;
  std::atomic<std::uint64_t>& done_;
};

class load : public ::testing::Test {
 protected:
  /// A plan of `count` ops without a warm-up.
  plan plan_of(scripted::script op, std::uint64_t count) {
    plan made;
    made.mix = {{"op"}};
    made.open = [this, op = std::move(op)]() -> absl::StatusOr<session> {
      ++opened_;
      session fresh;
      fresh.ops.push_back(std::make_unique<scripted>(op, done_));
      return fresh;
    };
    made.served_by = &peer_;
    made.warm_up_ns = 0;
    made.count = count;
    made.give_up_ns = 200'000'000;
    return made;
  }

  static absl::Status good(std::uint64_t /*number*/) { return absl::OkStatus(); }

  bare_peer peer_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<int> opened_{0};
};

TEST_F(load, counts_every_op_once) {
  auto asked = plan_of(good, 10'000);
  asked.connections = asked.threads = 3;
  const auto came = run(asked);
  ASSERT_TRUE(came.status.ok()) << came.status;
  const auto& of = *came.measured.load;
  EXPECT_EQ(of.ops, 10'000U);
  EXPECT_EQ(done_, 10'000U);
  EXPECT_EQ(came.measured.latency->ops, 10'000U);
  EXPECT_EQ(of.ended_by, "count");
  EXPECT_EQ(of.connects, 3U);
  EXPECT_TRUE(of.errors.empty());
  EXPECT_LE(of.closed_loop_share, 1);
  EXPECT_EQ(came.measured.what.placement, "unpinned");
}

TEST_F(load, many_connections_share_a_thread_of_a_blocking_loop_in_turn) {
  auto asked = plan_of(good, 100);
  asked.connections = 2;
  const auto came = run(asked);
  EXPECT_EQ(came.measured.load->ops, 100U);
  EXPECT_EQ(came.measured.load->threads, 1U);
}

TEST_F(load, warm_up_is_not_recorded) {
  auto asked = plan_of([](std::uint64_t) { return std::this_thread::sleep_for(1ms), absl::OkStatus(); }, 20);
  asked.warm_up_ns = 50'000'000;
  const auto came = run(asked);
  EXPECT_EQ(came.measured.load->ops, 20U);
  EXPECT_GT(done_, 20U);
}

TEST_F(load, a_run_shorter_than_its_warm_up_is_refused) {
  auto asked = plan_of(good, 1);
  asked.count.reset();
  asked.duration_ns = 1'000'000'000;
  asked.warm_up_ns = 5'000'000'000;
  EXPECT_EQ(check(asked).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(check(asked).message()),
            "a run of 1 s is shorter than its warm-up of 5 s; raise --duration or lower --warm-up");
}

TEST_F(load, a_mix_is_told_op_by_op) {
  auto asked = plan_of(good, 1000);
  asked.mix = {{"often", 9}, {"seldom", 1}};
  asked.open = [this]() -> absl::StatusOr<session> {
    session fresh;
    for (int i = 0; i < 2; ++i) fresh.ops.push_back(std::make_unique<scripted>(good, done_));
    return fresh;
  };
  const auto came = run(asked);
  const auto& ops = came.measured.load->by_op;
  ASSERT_EQ(ops.size(), 2U);
  EXPECT_EQ(ops[0].op, "often");
  EXPECT_GT(ops[0].latency->ops, ops[1].latency->ops);
  EXPECT_EQ(ops[0].latency->ops + ops[1].latency->ops, 1000U);
}

TEST_F(load, a_refusal_that_passes_is_tried_again) {
  const auto every_third_fails_once = [](std::uint64_t number) {
    return number % 3 == 2 ? with_server_code(absl::FailedPreconditionError("try later"), "40001")
                           : absl::OkStatus();
  };
  auto asked = plan_of(every_third_fails_once, 10);
  asked.max_tries = 2;
  const auto came = run(asked);
  const auto& of = *came.measured.load;
  EXPECT_EQ(of.ops, 10U);  // calls 0 1 (2 3) 4 (5 6) 7 (8 9) 10 (11 12) 13
  EXPECT_EQ(done_, 14U);
  EXPECT_EQ(of.retried_ops, 4U);
  EXPECT_EQ(of.retries, 4U);
  EXPECT_EQ(of.failed_ops, 0U);
  ASSERT_EQ(of.errors.size(), 1U);
  EXPECT_EQ(of.errors[0].kind, "server error 40001");
  EXPECT_EQ(of.errors[0].count, 4U);
  EXPECT_EQ(of.errors[0].first, "try later");
}

TEST_F(load, without_tries_left_the_op_has_failed_and_the_loop_goes_on) {
  const auto second_is_refused = [](std::uint64_t number) {
    return number == 1 ? absl::FailedPreconditionError("duplicate key") : absl::OkStatus();
  };
  const auto came = run(plan_of(second_is_refused, 10));
  EXPECT_TRUE(came.status.ok());
  EXPECT_EQ(came.measured.load->ops, 9U);
  EXPECT_EQ(came.measured.load->failed_ops, 1U);
  EXPECT_EQ(opened_, 1);
}

TEST_F(load, an_op_that_never_worked_ends_the_run) {
  const auto came =
      run(plan_of([](std::uint64_t) { return absl::FailedPreconditionError("no such table"); }, 10));
  EXPECT_EQ(came.status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(came.measured.load->ops, 0U);
  EXPECT_FALSE(came.measured.latency.has_value());
  EXPECT_EQ(came.measured.load->ended_by, "failure");
  EXPECT_EQ(done_, 1U);
}

TEST_F(load, a_wrong_reply_ends_the_run) {
  const auto third_is_wrong = [](std::uint64_t number) {
    return number == 2 ? absl::DataLossError("not the document") : absl::OkStatus();
  };
  const auto came = run(plan_of(third_is_wrong, 10));
  EXPECT_EQ(came.status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(came.measured.load->ops, 2U);
}

TEST_F(load, a_lost_connection_is_renewed) {
  const auto third_is_lost = [](std::uint64_t number) {
    return number == 2 ? absl::UnavailableError("the peer closed the connection") : absl::OkStatus();
  };
  const auto came = run(plan_of(third_is_lost, 10));
  EXPECT_TRUE(came.status.ok());
  EXPECT_EQ(came.measured.load->ops, 9U);
  EXPECT_EQ(came.measured.load->connects, 2U);
  EXPECT_EQ(came.measured.load->errors.at(0).kind, "connection lost");
}

TEST_F(load, a_connection_that_cannot_be_had_again_is_given_up) {
  auto asked = plan_of(
      [](std::uint64_t number) {
        return number == 2 ? absl::DeadlineExceededError("silence") : absl::OkStatus();
      },
      10);
  asked.open = [this, first = asked.open]() -> absl::StatusOr<session> {
    if (opened_ > 0) return absl::UnavailableError("Connection refused");
    return first();
  };
  const auto came = run(asked);
  const auto& of = *came.measured.load;
  EXPECT_EQ(of.ops, 2U);
  EXPECT_EQ(of.given_up, 1U);
  EXPECT_EQ(of.ended_by, "failure");
  EXPECT_EQ(came.status.code(), absl::StatusCode::kUnavailable);
  ASSERT_EQ(of.errors.size(), 2U);
  EXPECT_EQ(of.errors[0].kind, "connection refused");
  EXPECT_EQ(of.errors[1].kind, "timeout");
}

TEST_F(load, a_connection_that_cannot_be_had_at_all_ends_the_run) {
  auto asked = plan_of(good, 10);
  asked.open = []() -> absl::StatusOr<session> {
    return absl::UnavailableError("Cannot assign requested address");
  };
  const auto came = run(asked);
  EXPECT_EQ(came.status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(came.measured.load->ops, 0U);
  EXPECT_EQ(came.measured.load->ops_per_s, 0);
  EXPECT_EQ(came.measured.load->errors.at(0).kind, "no free local port");
}

TEST_F(load, connections_are_renewed_as_often_as_asked) {
  auto asked = plan_of(good, 10);
  asked.reconnect_every = 4;
  const auto came = run(asked);
  EXPECT_EQ(came.measured.load->ops, 10U);
  EXPECT_EQ(came.measured.load->connects, 3U);  // after 4 and 8 ops
}

TEST_F(load, a_stop_keeps_what_was_measured) {
  std::atomic<bool> stop{false};
  auto asked = plan_of(
      [&stop](std::uint64_t number) {
        if (number == 99) stop = true;
        return std::this_thread::sleep_for(1ms), absl::OkStatus();
      },
      1'000'000);
  asked.stop = &stop;
  const auto came = run(asked);
  EXPECT_TRUE(came.status.ok());
  EXPECT_EQ(came.measured.load->ended_by, "stop");
  EXPECT_GE(came.measured.load->ops, 99U);
  EXPECT_FALSE(came.measured.rounds.empty());
}

TEST_F(load, a_stop_while_connections_are_opened_opens_no_more) {
  std::atomic<bool> stop{false};
  auto asked = plan_of(good, 1000);
  asked.stop = &stop;
  asked.connections = 5;
  asked.open = [&stop, first = asked.open] {
    stop = true;
    return first();
  };
  const auto came = run(asked);
  EXPECT_EQ(opened_, 1);
  EXPECT_EQ(came.measured.load->ended_by, "stop");
  EXPECT_EQ(came.measured.load->ops, 0U);
}

/// The second op is due in an hour.
TEST_F(load, an_op_that_was_not_due_when_the_run_was_stopped_is_not_missing) {
  std::atomic<bool> stop{false};
  auto asked = plan_of([&stop](std::uint64_t) { return stop = true, absl::OkStatus(); }, 2);
  asked.stop = &stop;
  asked.open_loop = pace{1.0 / 3600, spacing::fixed};
  const auto of = *run(asked).measured.load;
  EXPECT_EQ(of.ops, 1U);
  EXPECT_EQ(of.schedule->never_sent, 0U);
  EXPECT_EQ(of.schedule->backlog, 0U);
}

/// The drain is for arrivals that wait; a closed loop has none.
TEST_F(load, a_closed_loop_reconnects_up_to_its_end_alone) {
  auto asked = plan_of(good, 0);
  asked.count.reset();
  asked.duration_ns = 5'000'000'000;
  run_state closed(asked);
  closed.begin(0);
  EXPECT_EQ(closed.last_send_ns, 5'000'000'000);
  asked.open_loop = pace{100};
  run_state open(asked);
  open.begin(0);
  EXPECT_EQ(open.last_send_ns, 10'000'000'000);
}

/// Over before the first look of a tenth of a second.
TEST_F(load, a_short_run_tells_its_cpu_time) {
  const auto busy = [](std::uint64_t) {
    const auto until_ns = *cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID) + 1'000'000;
    while (*cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID) < until_ns) {
    }
    return absl::OkStatus();
  };
  const auto came = run(plan_of(busy, 10));
  std::int64_t cpu_ns = 0;
  for (const auto& timed : came.measured.rounds) cpu_ns += timed.client_cpu_ns;
  EXPECT_GT(cpu_ns, 0);
}

/// One op stalls for 0.4 s. In a closed loop that is one slow sample; at 200 ops/s some 80 ops are due in the meantime, and the
/// 50 of them that are due in its first 0.25 s wait for at least 0.15 s (case C33).
TEST_F(load, a_stall_counts_for_every_op_that_was_due_in_it) {
  auto asked = plan_of(
      [](std::uint64_t number) {
        return number == 20 ? std::this_thread::sleep_for(400ms) : void(), absl::OkStatus();
      },
      200);
  asked.open_loop = pace{200, spacing::fixed};
  asked.latency_limit_ns = 150'000'000;
  const auto open = run(asked);
  const auto& of = *open.measured.load;
  EXPECT_EQ(of.ops, 200U);
  EXPECT_EQ(of.schedule->response->ops, 200U);
  EXPECT_GE(*of.above_limit, 45U);
  EXPECT_GE(of.schedule->lag_max_ns, 300'000'000);

  done_ = 0;
  asked.open_loop.reset();
  const auto closed = run(asked);
  EXPECT_LT(*closed.measured.load->above_limit, 10U);
}

TEST_F(load, a_rate_that_cannot_be_kept_is_told_with_its_backlog) {
  auto asked = plan_of([](std::uint64_t) { return std::this_thread::sleep_for(20ms), absl::OkStatus(); }, 0);
  asked.count.reset();
  asked.duration_ns = 300'000'000;
  asked.open_loop = pace{1000, spacing::fixed};
  const auto came = run(asked);
  const auto& schedule = *came.measured.load->schedule;
  EXPECT_FALSE(schedule.kept);
  EXPECT_GE(schedule.backlog, 280U);     // at most 15 and one under way of 300
  EXPECT_GE(schedule.never_sent, 250U);  // in 0.3 s more at most 16
  EXPECT_EQ(came.measured.load->ops + schedule.never_sent, 300U);
}

TEST_F(load, a_rate_that_is_kept_is_kept) {
  auto asked = plan_of(good, 50);
  asked.open_loop = pace{500, spacing::poisson};
  const auto came = run(asked);
  EXPECT_EQ(came.measured.load->ops, 50U);
  EXPECT_EQ(came.measured.load->schedule->never_sent, came.measured.load->schedule->backlog);
}

}  // namespace
}  // namespace bench::load
