#include "bench/context_difference.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

const context lab{{"started", "2026-11-30T19:00:00Z"},
                  {"host", "lab"},
                  {"boot", "b1"},
                  {"kernel", "Linux 6.1.0 x86_64"},
                  {"cpu", "EPYC"},
                  {"cpus", "2"},
                  {"thp", "madvise"},
                  {"wirebench", "1.0"},
                  {"compiler", "GCC 12.2"},
                  {"build_type", "release"},
                  {"libpq", "15.14"},
                  {"real_server", "PostgreSQL 15.14"},
                  {"load", "0.10 0.2 0.3"},
                  {"command", "ladder"}};

context with(const std::string& key, const std::string& value) {
  auto facts = lab;
  for (auto& [name, was] : facts) {
    if (name == key) was = value;
  }
  return facts;
}

/// The code of the only warning; empty when there is none.
std::string code_of(const context_difference& found) {
  EXPECT_LE(found.warnings.size(), 1U);
  return found.warnings.empty() ? "" : found.warnings.front().code;
}

TEST(ContextDifference, OfOneRunMeansNothing) {
  for (const auto* key : {"started", "load", "command", "wirebench"}) {
    const auto found = compare_contexts(lab, with(key, "other"));
    EXPECT_EQ(code_of(found), "") << key;
    EXPECT_FALSE(found.machine || found.build) << key;
  }
}

TEST(ContextDifference, OfAnotherMachineOrKernelForbidsTimes) {
  for (const auto& [key, code] : {std::pair("kernel", "W-KERNEL"), {"cpu", "W-CPU"}, {"cpus", "W-CPU"}}) {
    const auto found = compare_contexts(lab, with(key, "other"));
    EXPECT_EQ(code_of(found), code);
    EXPECT_TRUE(found.machine) << key;
    EXPECT_FALSE(found.build) << key;
  }
  auto elsewhere = with("host", "ci");
  for (auto& [name, value] : elsewhere) {
    if (name == "boot") value = "b2";
  }
  const auto found = compare_contexts(lab, elsewhere);
  EXPECT_TRUE(found.machine);
  ASSERT_EQ(found.warnings.size(), 2U);
  EXPECT_EQ(found.warnings[0].code, "W-HOST");
  EXPECT_EQ(found.warnings[0].number, "host: lab -> ci");
}

TEST(ContextDifference, OfABuildForbidsRatiosToo) {
  const auto found = compare_contexts(lab, with("build_type", "debug"));
  EXPECT_EQ(code_of(found), "W-BUILD");
  EXPECT_TRUE(found.build);
}

TEST(ContextDifference, OfBootCompilerDriverServerAndSettingsIsADoubt) {
  for (const auto& [key, code] : {std::pair("boot", "W-BOOT"),
                                  {"compiler", "W-COMPILER"},
                                  {"libpq", "W-DRIVER"},
                                  {"real_server", "W-SERVER"},
                                  {"thp", "W-CONTEXT"}}) {
    const auto found = compare_contexts(lab, with(key, "other"));
    EXPECT_EQ(code_of(found), code);
    EXPECT_FALSE(found.machine || found.build) << key;
  }
}

TEST(ContextDifference, OneBootIsOneMachineWhateverItsName) {
  const auto found = compare_contexts(lab, with("host", "0f3a9c"));  // as containers are called
  EXPECT_EQ(code_of(found), "");
  EXPECT_FALSE(found.machine);
}

TEST(ContextDifference, WhatAnOlderVersionDidNotTellIsADoubt) {
  context older;
  for (const auto& fact : lab) {
    if (fact.first != "host" && fact.first != "boot") older.push_back(fact);
  }
  const auto found = compare_contexts(older, lab);
  EXPECT_FALSE(found.machine);
  ASSERT_EQ(found.warnings.size(), 2U);
  EXPECT_EQ(found.warnings[0].number, "host: not told -> lab");
}

}  // namespace
}  // namespace bench
