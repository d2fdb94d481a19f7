// The two programs that show a protocol: every byte sent and received.

#include "tests/integration/command.hpp"

#include <gtest/gtest.h>

namespace {

tests::ended run(const std::string& name, tests::words arguments) {
  arguments.insert(arguments.begin(), tests::program_beside_wirebench(name));
  const tests::scratch place;
  return tests::command(std::move(arguments), place).wait();
}

void expect_shown(const tests::ended& shown, const std::vector<std::string>& parts) {
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(shown.err, "");
  std::size_t at = 0;
  for (const auto& part : parts) {
    at = shown.out.find(part, at);
    ASSERT_NE(at, std::string::npos) << "no " << part << " at its place in\n" << shown.out;
    ++at;
  }
}

TEST(hello_mongo, shows_frames_of_both_directions) {
  tests::served server("mongo");
  expect_shown(run("hello_mongo", {server.uri()}),
               {"-> OP_MSG", "hello", "<- OP_MSG", "ok=1", "-> OP_MSG", "ping",
                "33 00 00 00",  // messageLength 51
                "<- OP_MSG", "ok=1",
                "26 00 00 00",  // messageLength 38
                "4 system calls, "});
}

TEST(hello_pg, shows_frames_of_both_directions) {
  tests::served server("pg");
  expect_shown(run("hello_pg", {server.uri()}),
               {"-> StartupMessage", "00 03 00 00",  // version 3.0
                "<- Authentication", "<- ReadyForQuery", "-> Query",
                "51 00 00 00 0d 53 45 4c 45 43 54 20 31 00",  // 'Q', length 13, "SELECT 1"
                "<- DataRow",
                "44 00 00 00 0b 00 01 00 00 00 01 31",  // 'D', length 11, one column of one byte: "1"
                "<- ReadyForQuery", "value: 1", "-> Terminate"});
}

TEST(hello, needs_one_uri_with_a_known_scheme) {
  for (const auto* name : {"hello_mongo", "hello_pg"}) {
    for (const tests::words& arguments : {tests::words{}, {"redis://h"}, {"mongodb://h", "surplus"}}) {
      const auto refused = run(name, arguments);
      EXPECT_EQ(refused.code, 2) << name;
      EXPECT_EQ(refused.out, "");
      EXPECT_EQ(tests::lines_of(refused.err), 1U) << refused.err;
    }
  }
}

TEST(hello, says_who_does_not_answer) {
  for (const auto* uri : {"mongodb://127.0.0.1:1/", "postgresql://u@127.0.0.1:1/d"}) {
    const auto refused = run(std::string(uri).starts_with("mongo") ? "hello_mongo" : "hello_pg", {uri});
    EXPECT_EQ(refused.code, 1);
    EXPECT_EQ(tests::lines_of(refused.err), 1U) << refused.err;
    EXPECT_NE(refused.err.find("127.0.0.1:1"), std::string::npos) << refused.err;
  }
}

/// Each program speaks one protocol.
TEST(hello, refuses_the_other_protocol) {
  EXPECT_EQ(run("hello_mongo", {"postgresql://u@127.0.0.1:1/d"}).code, 2);
  EXPECT_EQ(run("hello_pg", {"mongodb://127.0.0.1:1/"}).code, 2);
}

}  // namespace
