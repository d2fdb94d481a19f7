// Figures of runs whose times are made up: nothing runs, and no clock is asked.

#include "bench/load/summary.hpp"

#include "bench/load/findings.hpp"

#include "tests/bench/bare_peer.hpp"

#include <gtest/gtest.h>

namespace bench::load {
namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t second = 1'000 * ms;

/// Has counted what the test says.
class counting_peer final : public bare_peer {
 public:
  std::optional<traffic> counted() const override { return told; }

  std::optional<traffic> told;
};

/// A run that began at 0, without a warm-up, of one connection that is never opened.
class summary : public ::testing::Test {
 protected:
  summary() {
    plan_.mix = {{"op"}};
    plan_.served_by = &peer_;
    plan_.warm_up_ns = 0;
  }

  /// After the plan has been changed.
  void begin() {
    state_ = std::make_unique<run_state>(plan_);
    threads_.push_back(std::make_unique<worker>(*state_, 0, 1));
    state_->begin(0);
    eye_ = std::make_unique<observer>(*state_, threads_);
  }

  /// `ops` of 1 ms each, one every `gap_ns`, the first one due and sent at `from_ns`.
  void complete(int ops, std::int64_t from_ns, std::int64_t gap_ns = ms) {
    for (int i = 0; i < ops; ++i) complete_one(from_ns + i * gap_ns, from_ns + i * gap_ns);
  }
  void complete_one(std::int64_t due_ns, std::int64_t sent_ns, std::int64_t took_ns = ms) {
    threads_[0]->recorded().completed(0, due_ns, sent_ns, sent_ns + took_ns);
  }

  /// Takes the schedule's arrivals as connections do.
  void take(int arrivals) {
    for (int i = 0; i < arrivals; ++i) state_->schedule->take();
  }

  cell sum() { return sum_up(*state_, threads_, *eye_); }

  counting_peer peer_;
  plan plan_;
  std::unique_ptr<run_state> state_;
  workers threads_;
  std::unique_ptr<observer> eye_;
};

std::vector<std::string> codes(const cell& measured) {
  std::vector<std::string> all;
  for (const auto& each : doubts(measured)) all.push_back(each.code);
  return all;
}

/// 1000 ops in the first of ten seconds, and then none.
TEST_F(summary, a_stall_up_to_the_end_is_part_of_the_time) {
  plan_.duration_ns = 10 * second;
  begin();
  for (int tenth = 0; tenth < 10; ++tenth) {
    complete(100, tenth * 100 * ms);
    eye_->look((tenth + 1) * 100 * ms);
  }
  eye_->last_look(10 * second);
  const auto made = sum();
  EXPECT_EQ(made.load->elapsed_s, 10);
  EXPECT_EQ(made.load->ops_per_s, 100);
  ASSERT_EQ(made.rounds.size(), 10U);
  EXPECT_EQ(made.rounds.front().elapsed_ns, 100 * ms);
  EXPECT_EQ(made.rounds.back().elapsed_ns, 9'100 * ms);
  EXPECT_EQ(made.rounds.back().ops, 100U);
  EXPECT_EQ(codes(made), std::vector<std::string>{"W-FROZEN"});
}

TEST_F(summary, a_run_that_was_stopped_has_lasted_until_then) {
  plan_.duration_ns = 10 * second;
  begin();
  complete(1000, 0);
  state_->stop(4 * second);
  state_->stop(5 * second);
  EXPECT_EQ(sum().load->elapsed_s, 4);
}

TEST_F(summary, an_op_that_ends_after_the_run_is_waited_for) {
  plan_.duration_ns = 2 * second;
  begin();
  complete(10, 0);
  complete_one(second, second, 4 * second);
  EXPECT_EQ(sum().load->elapsed_s, 5);
}

TEST_F(summary, a_count_that_was_reached_ends_with_its_last_op) {
  plan_.count = 1000;
  begin();
  complete(1000, 0);
  eye_->last_look(9 * second);
  const auto made = sum();
  EXPECT_EQ(made.load->elapsed_s, 1);
  EXPECT_EQ(made.load->ended_by, "count");
}

TEST_F(summary, a_run_without_ops_has_lasted_all_the_same) {
  plan_.duration_ns = 2 * second;
  begin();
  const auto of = *sum().load;
  EXPECT_EQ(of.elapsed_s, 2);
  EXPECT_EQ(of.ops_per_s, 0);
}

/// 100 ops a second were sent when they were due; the server let the last one wait for 8 s.
TEST_F(summary, what_an_open_loop_waits_for_at_its_end_is_no_time_of_its_schedule) {
  plan_.duration_ns = 10 * second;
  plan_.open_loop = pace{100, spacing::fixed};
  begin();
  take(1000);
  complete(999, 0, 10 * ms);
  complete_one(9'990 * ms, 9'990 * ms, 8 * second);
  const auto of = *sum().load;
  EXPECT_NEAR(of.elapsed_s, 17.99, 1e-9);
  EXPECT_DOUBLE_EQ(of.ops_per_s, 99.9);
  EXPECT_TRUE(of.schedule->kept);
  EXPECT_EQ(of.schedule->backlog, 0U);
}

/// 50 of 100 ops a second were done in time, the rest afterwards.
TEST_F(summary, what_was_sent_late_is_backlog_and_no_throughput) {
  plan_.duration_ns = 10 * second;
  plan_.open_loop = pace{100, spacing::fixed};
  begin();
  take(1000);
  for (int i = 0; i < 1000; ++i) complete_one(i * 10 * ms, i * 20 * ms);
  const auto of = *sum().load;
  EXPECT_DOUBLE_EQ(of.ops_per_s, 50);
  EXPECT_FALSE(of.schedule->kept);
  EXPECT_EQ(of.schedule->backlog, 500U);
  EXPECT_EQ(of.schedule->never_sent, 0U);
}

/// 1000 ops were asked for, at 1000 a second; the server did 50 a second. When the last one was sent, at 19.98 s, arrivals up
/// to that time had been due.
TEST_F(summary, a_count_has_a_backlog_too) {
  plan_.count = 1000;
  plan_.open_loop = pace{1000, spacing::fixed};
  begin();
  take(1000);
  for (int i = 0; i < 1000; ++i) complete_one(i * ms, i * 20 * ms);
  const auto of = *sum().load;
  EXPECT_FALSE(of.schedule->kept);
  EXPECT_EQ(of.schedule->backlog, 18'980U);
}

TEST_F(summary, a_count_whose_rate_was_kept_has_none) {
  plan_.count = 1000;
  plan_.open_loop = pace{1000, spacing::fixed};
  begin();
  take(1000);
  complete(999, 0);
  complete_one(999 * ms, 999 * ms, 8 * second);  // the last one's answer is late
  const auto of = *sum().load;
  EXPECT_TRUE(of.schedule->kept);
  EXPECT_EQ(of.schedule->backlog, 0U);
}

/// Arrivals of the warm-up are no backlog: their response times would not be told either.
TEST_F(summary, backlog_is_of_the_measured_part) {
  plan_.warm_up_ns = 5 * second;
  plan_.duration_ns = 10 * second;
  plan_.open_loop = pace{100, spacing::fixed};
  begin();
  take(1);
  EXPECT_EQ(sum().load->schedule->backlog, 1000U);
}

/// The peer is first asked when ten ops are over, and each op is a frame of 58 bytes and one of 45.
TEST_F(summary, what_a_peer_has_counted_is_of_the_ops_between_its_readings) {
  plan_.warm_up_ns = second;
  plan_.duration_ns = second;
  begin();
  complete(10, second);
  peer_.told = traffic{510, 510, 510 * 58, 510 * 45};  // 500 of the warm-up
  eye_->look(second + 10 * ms);
  complete(100, second + 10 * ms);
  peer_.told = traffic{610, 610, 610 * 58, 610 * 45};
  eye_->last_look(second + 110 * ms);
  const auto made = sum();
  EXPECT_EQ(made.load->ops, 110U);
  EXPECT_EQ(made.per_op.frames_out, 1);
  EXPECT_EQ(made.per_op.bytes_out, 58);
  EXPECT_EQ(made.per_op.bytes_in, 45);
  EXPECT_DOUBLE_EQ(*made.load->bytes_out_per_s, 58 * made.load->ops_per_s);
}

}  // namespace
}  // namespace bench::load
