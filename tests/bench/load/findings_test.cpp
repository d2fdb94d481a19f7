#include "bench/load/findings.hpp"

#include "bench/load/recording.hpp"
#include "bench/load/report.hpp"

#include <gtest/gtest.h>

namespace bench::load {
namespace {

/// 1000 ops of 10 us in a second, on one connection.
cell made_cell() {
  cell made{
      .what = {.id = "ping/run/raw", .op = "ping", .client = "raw", .peer = "null", .placement = "same-cpu"}};
  histogram latencies;
  for (int i = 0; i < 1000; ++i) latencies.record(10'000);
  made.latency = summarize(latencies);
  made.load =
      figures{.io = "blocking", .ended_by = "duration", .ops = 1000, .elapsed_s = 1, .ops_per_s = 1000};
  return made;
}

std::vector<std::string> codes(const cell& measured) {
  std::vector<std::string> all;
  for (const auto& each : doubts(measured)) all.push_back(each.code);
  return all;
}

using list = std::vector<std::string>;

TEST(load_findings, nothing_is_said_of_a_clean_loop) {
  EXPECT_EQ(codes(made_cell()), list{});
}

TEST(load_findings, each_doubt_has_its_code) {
  auto made = made_cell();
  made.load->delayed_ack_share = 0.9;
  made.load->closed_loop_share = 1.01;
  made.load->failed_ops = 1;
  made.load->errors = {{no_free_port, 3, "Cannot assign requested address"}};
  EXPECT_EQ(codes(made), (list{"W-ACK", "W-LITTLE", "W-ERRORS", "W-PORTS"}));
}

// Other errors are never tried again, and MongoDB's not at all.
TEST(load_findings, only_errors_that_pass_are_worth_another_try) {
  auto made = made_cell();
  made.load->failed_ops = 1;
  for (const auto& [kind, flag] :
       {std::pair("connection lost", ""), std::pair("server error 42P01", ""),
        std::pair("server error 40001", "--max-tries 3"), std::pair("server error 40P01", "--max-tries 3")}) {
    made.load->errors = {{kind, 1, "no"}};
    const auto found = doubts(made);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].flag, flag) << kind;
  }
}

TEST(load_findings, a_rate_that_was_not_kept) {
  auto made = made_cell();
  made.load->schedule =
      schedule_figures{.rate = 2000, .arrivals = "fixed", .kept = false, .backlog = 900, .never_sent = 100};
  EXPECT_EQ(codes(made), list{"W-RATE"});
  const auto text = report(made, false);
  EXPECT_NE(text.find("the rate of 2000 ops/s was not kept: 1,000 ops/s were done, 900 ops"),
            std::string::npos)
      << text;
}

TEST(load_findings, the_report_says_how_many_ops_a_percentile_needs) {
  const auto text = report(made_cell(), false);
  EXPECT_NE(text.find("99 %              10.00"), std::string::npos) << text;
  EXPECT_NE(text.find("99.9 %                -  needs 9,000 more ops"), std::string::npos) << text;
}

/// 100 ops, of which 20 take 44 ms, the others 50 us; and the same with ops spread evenly around 44 ms.
TEST(latency_summary, a_mode_near_forty_ms_is_found) {
  histogram acks;
  for (int i = 0; i < 100; ++i) acks.record(i < 20 ? 44'000'000 + i * 10'000 : 50'000);
  ASSERT_TRUE(delayed_ack_share(acks).has_value());
  EXPECT_DOUBLE_EQ(*delayed_ack_share(acks), 0.2);
  histogram slow;
  for (int i = 0; i < 100; ++i) slow.record(20'000'000 + i * 500'000);
  EXPECT_FALSE(delayed_ack_share(slow).has_value());
}

/// 1, 2 and 3 us: mean 2, standard deviation sqrt(2/3) = 0.8165 us.
TEST(latency_summary, mean_and_deviation) {
  histogram three;
  for (const auto ns : {1000, 2000, 3000}) three.record(ns);
  const auto of = *summarize(three);
  EXPECT_EQ(of.mean_ns, 2000);
  EXPECT_NEAR(of.stddev_ns, 816.5, 1);
  EXPECT_EQ(of.min_ns, 1000);
  EXPECT_EQ(of.max_ns, 3000);
  EXPECT_EQ(ops_above(three, 1500), 2U);
  EXPECT_FALSE(summarize(histogram()).has_value());
}

}  // namespace
}  // namespace bench::load
