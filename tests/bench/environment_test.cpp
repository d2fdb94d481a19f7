#include "bench/environment.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>

#include <algorithm>

namespace bench {
namespace {

TEST(Environment, KeepsItsOrderAndLeavesNothingEmpty) {
  const auto facts = read_environment({{"libpq", "15.20"}}, {"wirebench", "ladder"});
  ASSERT_GT(facts.size(), 10u);
  EXPECT_EQ(facts.front().first, "started");
  EXPECT_EQ(value_of(facts, "libpq"), "15.20");
  EXPECT_EQ(value_of(facts, "command"), "wirebench ladder");
  EXPECT_EQ(value_of(facts, "kernel").substr(0, 6), "Linux ");
  EXPECT_EQ(value_of(facts, "no such key"), "");
  for (const auto& [key, value] : facts) EXPECT_FALSE(value.empty()) << key;
}

TEST(Environment, RecordsTheSwitchesOfTheHeap) {
  ASSERT_EQ(setenv("MALLOC_ARENA_MAX", "1", 1), 0);
  const auto with = read_environment({}, {});
  ASSERT_EQ(unsetenv("MALLOC_ARENA_MAX"), 0);
  EXPECT_NE(value_of(with, "malloc").find("MALLOC_ARENA_MAX=1"), std::string::npos);
}

TEST(Environment, NeverShowsASecretOfTheCommandLine) {
  EXPECT_EQ(without_secrets("mongodb://me:s3cr@t/x@host:1/db"), "mongodb://me:***@host:1/db");
  EXPECT_EQ(without_secrets("postgresql://host/db?password=s3cret&sslmode=disable"),
            "postgresql://host/db?password=***&sslmode=disable");
  EXPECT_EQ(without_secrets("host=h password = 'a b' user=u"), "host=h password =***");
  EXPECT_EQ(without_secrets("mongodb://host:27017/db"), "mongodb://host:27017/db");
  EXPECT_EQ(without_secrets("--op"), "--op");
}

bool warns(const context& facts, const std::string& code) {
  const auto found = doubts(facts);
  return std::any_of(found.begin(), found.end(), [&](const warning& one) {
    return one.code == code && !one.number.empty() && !one.cause.empty() && !one.remedy.empty();
  });
}

TEST(Doubts, AreRaisedByWhatMovesFigures) {
  EXPECT_TRUE(warns({{"build_type", "debug"}}, "W-BUILD"));
  EXPECT_TRUE(warns({{"sanitizers", "address,undefined"}}, "W-SANITIZER"));
  EXPECT_TRUE(warns({{"load", "3.50 2.00 1.00 1/99 7"}, {"cpus", "2"}}, "W-LOAD"));
  EXPECT_TRUE(warns({{"governor", "powersave"}}, "W-GOVERNOR"));
}

TEST(Doubts, AreSilentOnAQuietMachine) {
  const context quiet{{"build_type", "release"},
                      {"sanitizers", "none"},
                      {"load", "2.90 2.00 1.00 1/99 7"},
                      {"cpus", "2"},
                      {"governor", "performance"}};
  EXPECT_TRUE(doubts(quiet).empty());
  EXPECT_TRUE(doubts(context{}).empty());
}

TEST(ClockDoubts, AreNoneForAFineClock) {
  EXPECT_TRUE(doubts(clock_record{.source = "tsc", .resolution_ns = 5'000}).empty());  // 1000 steps in 5 ms
}

TEST(ClockDoubts, NameBackwardStepsAndCoarseOnes) {
  const auto backward = doubts(clock_record{.source = "tsc", .resolution_ns = 10, .backward_steps = 3});
  ASSERT_EQ(backward.size(), 1u);
  EXPECT_EQ(backward[0].code, "W-CLOCK");
  EXPECT_EQ(backward[0].number, "3 backward steps between cpus");
  const auto coarse = doubts(clock_record{.source = "jiffies", .resolution_ns = 1'000'000});
  ASSERT_EQ(coarse.size(), 1u);
  EXPECT_EQ(coarse[0].number, "steps of 1000000 ns");
  EXPECT_EQ(coarse[0].cause, "rounds of 5 ms are measured to 20.0 % at best");
}

TEST(MachineDoubts, AreThoseOfTheContextAndOfTheClock) {
  const auto found = doubts(context{{"cpus", "2"}, {"governor", "powersave"}},
                            clock_record{.source = "tsc", .resolution_ns = 10, .backward_steps = 3});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].code, "W-GOVERNOR");
  EXPECT_EQ(found[1].code, "W-CLOCK");
}

}  // namespace
}  // namespace bench
