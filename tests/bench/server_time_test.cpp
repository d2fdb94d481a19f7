#include "bench/server_time.hpp"

#include "codecs/mongo/bson.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace bench
