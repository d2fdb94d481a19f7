#include "bench/server_time.hpp"

#include "codecs/mongo/bson.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace bench {
namespace {

TEST(LoggedDuration, IsReadInNanoseconds) {
  EXPECT_EQ(logged_duration_ns("duration: 0.123 ms"), 123'000);
  EXPECT_EQ(logged_duration_ns("duration: 12.000 ms  bind p"), 12'000'000);
  EXPECT_EQ(logged_duration_ns("duration: 0.007 ms"), 7'000);  // 0.007 has no exact binary form
}

TEST(LoggedDuration, IsNothingElse) {
  EXPECT_FALSE(logged_duration_ns("duration: 5 s"));
  EXPECT_FALSE(logged_duration_ns("duration: ms"));
  EXPECT_FALSE(logged_duration_ns("Dauer: 0.123 ms"));
  EXPECT_FALSE(logged_duration_ns("table \"t\" does not exist, skipping"));
  EXPECT_FALSE(logged_duration_ns(""));
}

// What a server says may be anything: none of it may overflow.
TEST(LoggedDuration, IsNoneThatCannotBe) {
  for (const auto* absurd : {"duration: 1e300 ms", "duration: inf ms", "duration: nan ms", "duration: -5 ms",
                             "duration: 2305843009214 ms"})  // 2^61 ns are 2305843009213.69 ms
    EXPECT_FALSE(logged_duration_ns(absurd)) << absurd;
  EXPECT_EQ(logged_duration_ns("duration: 1000000000 ms"), 1'000'000'000'000'000);
}

TEST(DurationSum, IsNoneBeyondWhatCanBe) {
  duration_sum sum;
  EXPECT_FALSE(sum.total_ns());
  sum.add(0);
  EXPECT_EQ(sum.total_ns(), 0);
  sum.add(longest_told_ns);
  EXPECT_EQ(sum.total_ns(), longest_told_ns);
  for (int i = 0; i < 10; ++i) {  // more than 2^63 ns together
    sum.add(longest_told_ns);
    EXPECT_FALSE(sum.total_ns()) << i;
  }
}

/// serverStatus as MongoDB documents it: opLatencies by class, in microseconds.
TEST(OpLatencies, AreThoseOfOneClass) {
  codecs::mongo::document status;
  bson_t all, one;
  bson_append_document_begin(status.get(), "opLatencies", -1, &all);
  bson_append_document_begin(&all, "reads", -1, &one);
  bson_append_int64(&one, "latency", -1, 70);
  bson_append_int64(&one, "ops", -1, 2);
  bson_append_document_end(&all, &one);
  bson_append_document_begin(&all, "commands", -1, &one);
  bson_append_int64(&one, "latency", -1, 1'234);
  bson_append_int64(&one, "ops", -1, 56);
  bson_append_document_end(&all, &one);
  bson_append_document_end(status.get(), &all);

  const auto commands = read_latencies(status.view(), "commands");
  ASSERT_TRUE(commands);
  EXPECT_EQ(commands->ns, 1'234'000);
  EXPECT_EQ(commands->ops, 56);
  EXPECT_EQ(read_latencies(status.view(), "reads")->ops, 2);
  EXPECT_FALSE(read_latencies(status.view(), "writes"));
}

TEST(OpLatencies, AreNotKeptByEveryServer) {
  codecs::mongo::document status;
  bson_append_int32(status.get(), "opLatencies", -1, 1);
  EXPECT_FALSE(read_latencies(status.view(), "reads"));
  status.clear();
  EXPECT_FALSE(read_latencies(status.view(), "reads"));
}

std::optional<op_latencies> told(std::int64_t latency_us, std::int64_t ops) {
  codecs::mongo::document status;
  bson_t all, one;
  bson_append_document_begin(status.get(), "opLatencies", -1, &all);
  bson_append_document_begin(&all, "reads", -1, &one);
  bson_append_int64(&one, "latency", -1, latency_us);
  bson_append_int64(&one, "ops", -1, ops);
  bson_append_document_end(&all, &one);
  bson_append_document_end(status.get(), &all);
  return read_latencies(status.view(), "reads");
}

TEST(OpLatencies, AreNoneThatCannotBe) {
  constexpr std::int64_t most_us = longest_told_ns / 1'000;
  ASSERT_TRUE(told(most_us, longest_told_ns));
  EXPECT_EQ(told(most_us, 1)->ns, most_us * 1'000);
  EXPECT_FALSE(told(most_us + 1, 1));
  EXPECT_FALSE(told(std::numeric_limits<std::int64_t>::max(), 1));
  EXPECT_FALSE(told(-1, 1));
  EXPECT_FALSE(told(1, -1));
  EXPECT_FALSE(told(1, longest_told_ns + 1));
}

}  // namespace
}  // namespace bench
