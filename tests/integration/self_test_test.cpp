#include "tools/self_test.hpp"

#include <gtest/gtest.h>

namespace tools {
namespace {

TEST(SelfTest, JudgesByTheBoundThenByTheIntervalAndTheNoise) {
  EXPECT_EQ(judge(200, {.value = 203, .lo = 203, .hi = 203}, 4), finding::right);
  EXPECT_EQ(judge(200, {.value = 197, .lo = 150, .hi = 199}, 4), finding::right);
  EXPECT_EQ(judge(200, {.value = 206, .lo = 203, .hi = 209}, 4), finding::unsure);
  EXPECT_EQ(judge(200, {.value = 194, .lo = 191, .hi = 197}, 4), finding::unsure);
  EXPECT_EQ(judge(200, {.value = 206, .lo = 205, .hi = 207}, 4), finding::wrong);
  EXPECT_EQ(judge(200, {.value = 194, .lo = 193, .hi = 195}, 4), finding::wrong);
  EXPECT_EQ(judge(200, {.value = 206, .lo = 205, .hi = 207, .noise = 1}, 4), finding::unsure);
  EXPECT_EQ(judge(200, {.value = 194, .lo = 193, .hi = 195, .noise = 1}, 4), finding::unsure);
}

TEST(SelfTest, TakesNoVerdictForNoProof) {
  EXPECT_EQ(judge_nothing(bench::verdict::equivalent), finding::right);
  EXPECT_EQ(judge_nothing(bench::verdict::inconclusive), finding::unsure);
  EXPECT_EQ(judge_nothing(bench::verdict::faster), finding::wrong);
  EXPECT_EQ(judge_nothing(bench::verdict::slower), finding::wrong);
}

TEST(SelfTest, IsAsGoodAsItsWorstTruth) {
  std::vector<truth> truths(3);
  for (auto& one : truths) one.says = finding::right;
  EXPECT_EQ(worst(truths), finding::right);
  truths[1].says = finding::unsure;
  EXPECT_EQ(worst(truths), finding::unsure);
  truths[0].says = finding::wrong;
  EXPECT_EQ(worst(truths), finding::wrong);
}

}  // namespace
}  // namespace tools
