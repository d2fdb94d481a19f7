// Bad input of every kind: one clear line, an exit code that says whose fault it is, and no crash.

#include "tests/integration/complaint.hpp"

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace {

using tests::against;
using tests::ended;
using tests::expect_one_line;
using tests::run_wirebench;
using tests::scratch;
using tests::words;

struct refused {
  words arguments;
  std::string names;  ///< what the line must name
};

class usage : public ::testing::TestWithParam<refused> {};

TEST_P(usage, is_refused_with_one_line) {
  const auto run = run_wirebench(GetParam().arguments);
  expect_one_line(run, 2, {GetParam().names});
  EXPECT_EQ(run.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    bad_input, usage,
    ::testing::Values(refused{{}, "subcommand"},                                          //
                      refused{{"frob"}, "'frob'"},                                        //
                      refused{{"--nope"}, "'--nope'"},                                    //
                      refused{{"ladder", "--nope"}, "--nope"},                            //
                      refused{{"ladder", "surplus"}, "surplus"},                          //
                      refused{{"ladder", "--op", "nope"}, "'nope'"},                      //
                      refused{{"ladder", "--op", "ping,nope"}, "'nope'"},                 //
                      refused{{"ladder", "--rung", "tcp9"}, "'tcp9'"},                    //
                      refused{{"ladder", "--real", "redis://h"}, "'redis://h'"},          //
                      refused{{"ladder", "--real", "mongodb://"}, "'mongodb://'"},        //
                      refused{{"ladder", "--real", "postgresql://h:port/"}, "port"},      //
                      refused{{"files", "nfs"}, "nfs"},                                   //
                      refused{{"files", "--files", "0"}, "--files"},                      //
                      refused{{"files", "--files", "-1"}, "--files"},                     //
                      refused{{"files", "--bytes", "-5"}, "--bytes"},                     //
                      refused{{"files", "--bytes", "15"}, "--bytes"},                     //
                      refused{{"files", "--files", "3", "--threads", "4"}, "4 threads"},  //
                      refused{{"files", "--threads", "0"}, "--threads"},                  //
                      refused{{"files", "--duplicates", "10"}, "--duplicates"},           //
                      refused{{"files", "--real", "redis://h"}, "redis://h"},             //
                      refused{{"files", "fs", "--real", "pg"}, "--real pg"},              //
                      refused{{"files", "--real", "null:1ms"}, "--real"},                 //
                      refused{{"files", "fs", "--chunk", "1000"}, "--chunk"},             //
                      refused{{"files", "lo", "--chunk", "0"}, "--chunk"},                //
                      refused{{"files", "lo", "--fsync"}, "--fsync"},
                      refused{{"files", "bytea", "--chunk", "9"}, "--chunk"},
                      refused{{"files", "bytea", "--bytes", "48000001"}, "48000000"},  //
                      refused{{"files", "fs", "--dir", "/nowhere"}, "/nowhere"},       //
                      refused{{"files", "--server-pid", "1"}, "--server-pid"},         //
                      refused{{"docs", "--count", "0"}, "--count"},                    //
                      refused{{"docs", "--count", "-1"}, "--count"},                   //
                      refused{{"docs", "--found", "0"}, "--found"},                    //
                      refused{{"docs", "--count", "9", "--found", "10"}, "among 9"},   //
                      refused{{"docs", "--threads", "0"}, "--threads"},                //
                      refused{{"docs", "--threads", "101"}, "101 threads"},            //
                      refused{{"docs", "--size", "44"}, "44 bytes"},                   //
                      refused{{"docs", "--size", "16777217"}, "16777217 bytes"},       //
                      refused{{"docs", "--size", "1000000"}, "lower --batch"},         //
                      refused{{"docs", "--batch", "0"}, "--batch"},                    //
                      refused{{"docs", "--batch", "100001"}, "batch of 100001"},       //
                      refused{{"docs", "--real", "pg"}, "MongoDB"},                    //
                      refused{{"docs", "--server-pid", "1"}, "--server-pid"},          //
                      refused{{"docs", "--real", "mongodb://127.0.0.1:1/", "--server-pid", "2000000000"},
                              "process 2000000000"},                                  //
                      refused{{"docs", "--json", "--mongo-bench"}, "--mongo-bench"},  //
                      refused{{"ladder", "--cpu", "4096"}, "4096"},                   //
                      refused{{"ladder", "--cpu", "one"}, "one"},                     //
                      refused{{"ladder", "--budget", "soon"}, "'soon'"},              //
                      refused{{"ladder", "--budget", "-1"}, "'-1'"},                  //
                      refused{{"ladder", "--budget", "0"}, "'0'"},                    //
                      refused{{"ladder", "--budget", "nan"}, "'nan'"},                //
                      refused{{"ladder", "--timeout", "nan"}, "'nan'"},               //
                      refused{{"ladder", "--timeout", "0"}, "'0'"},                   //
                      refused{{"ladder", "--precision", "nonsense"}, "'nonsense'"},   //
                      refused{{"ladder", "--precision", "nan"}, "'nan'"},             //
                      refused{{"ladder", "--delta", "200%"}, "'200%'"},               //
                      refused{{"ladder", "--seed", "-1"}, "-1"},                      //
                      refused{{"loop", "nope", "ping", "1"}, "nope"},                 //
                      refused{{"loop", "raw", "nope", "1"}, "'nope'"},                //
                      refused{{"loop", "libpq", "ping", "1"}, "libmongoc"},           //
                      refused{{"loop", "raw", "ping"}, "ops"},                        //
                      refused{{"loop", "raw", "ping", "0"}, "ops"},             // C34: no op, no success
                      refused{{"loop", "raw", "ping", "-3"}, "ops"},            //
                      refused{{"loop", "raw", "ping", "many"}, "many"},         //
                      refused{{"serve", "redis"}, "redis"},                     //
                      refused{{"serve", "mongo", "--port", "65536"}, "65536"},  //
                      refused{{"doctor", "--aa", "0"}, "--aa"}));

/// Options that would change nothing.
INSTANTIATE_TEST_SUITE_P(
    idle_option, usage,
    ::testing::Values(
        refused{{"ladder", "--service-time", "50us"}, "tcpD"},
        refused{{"ladder", "--rung", "tcp0,tcp0s", "--delay-mode", "sleep"}, "tcpD"},
        refused{
            {"ladder", "--op", "ping", "--real", "null:70us", "--processes", "2", "--delay-mode", "sleep"},
            "tcpD"},
        refused{{"ladder", "--op", "select1,insert_row", "--profile", "replica-set"}, "--profile"},
        refused{{"ladder", "--rung", "real", "--real", "mongodb://127.0.0.1:1/", "--count", "all"},
                "--count"},
        refused{{"loop", "raw", "select1", "1", "--profile", "no-sessions"}, "--profile"},
        refused{{"serve", "pg", "--profile", "standalone"}, "--profile"},
        refused{{"serve", "mongo", "--delay-mode", "sleep"}, "--service-time"},
        refused{{"doctor", "--self-test", "--json"}, "--json"},
        refused{{"doctor", "--self-test", "-o", "/dev/null"}, "--output"},
        refused{{"doctor", "--self-test", "--aa", "3"}, "--aa"},
        refused{{"doctor", "--self-test", "--strict"}, "--strict"}));

/// C34: a run that is over before its warm-up is refused before it starts.
TEST(bad_input, budget_below_the_warm_up) {
  const auto run = run_wirebench({"ladder", "--op", "ping", "--budget", "0.2"});
  expect_one_line(run, 2, {"0.2 s", "warm-up", "--budget"});
  EXPECT_EQ(run.out, "");
}

TEST(bad_input, two_real_servers_of_one_protocol) {
  expect_one_line(
      run_wirebench({"ladder", "--real", "mongodb://127.0.0.1:1/", "--real", "mongodb://127.0.0.1:2/"}), 2,
      {"--real", "one"});
}

TEST(bad_input, scram_and_tls_come_later) {
  for (const auto* uri : {"mongodb://joe:hunter2@127.0.0.1:1/", "mongodb://127.0.0.1:1/?tls=true"})
    expect_one_line(against("ping", uri), 1, {"127.0.0.1:1", "comes later"});
  expect_one_line(against("select1", "postgresql://u@127.0.0.1:1/d?sslmode=require"), 1,
                  {"127.0.0.1:1", "comes later"});
}

TEST(bad_input, password_is_nowhere_to_be_seen) {
  for (const auto* real :
       {"mongodb://joe:hunter2@127.0.0.1:1/", "mongodb://joe:hunter2@h:port:1/", "mongodb://joe:hunter2@",
        "postgresql://joe:hunter2@127.0.0.1:1/d", "postgresql://joe:hunter2@127.0.0.1:1/d?frob=1",
        "postgresql://joe:hunter2%zz@h/d", "mongodb://joe:hunter2:x@h/",
        "postgresql://h/?password=hunter2%00", "postgresql://joe@127.0.0.1:1/d?password=hunter2&frob=1",
        "redis://joe:hunter2@h/"}) {
    const scratch place;
    const auto run = run_wirebench({"ladder", "--rung", "real", "--budget", "2", "--real", real}, place);
    EXPECT_NE(run.code, 0);
    EXPECT_EQ((run.out + run.err).find("hunter2"), std::string::npos) << run.err;
  }
}

TEST(bad_input, password_is_not_in_a_result) {
  tests::served server("pg");
  const scratch place;
  const auto run =
      run_wirebench({"ladder", "--op", "select1", "--rung", "real", "--budget", "1.5", "--real",
                     "postgresql://joe:hunter2@127.0.0.1:" + std::to_string(server.port()) + "/d"},
                    place);
  ASSERT_EQ(run.code, 0) << run.err;
  ASSERT_EQ(place.results().size(), 1U);
  EXPECT_EQ((run.out + run.err + tests::whole_file(place.results().front())).find("hunter2"),
            std::string::npos);
}

ended in_shell(const std::string& script) {
  return tests::command({"/bin/sh", "-c", script, tests::wirebench()}, scratch()).wait();
}

TEST(bad_input, output_that_nobody_takes) {
  expect_one_line(in_shell("exec \"$0\" ladder --list > /dev/full"), 1, {"write"});
  expect_one_line(in_shell("exec \"$0\" --help > /dev/full"), 1, {"write"});
  expect_one_line(in_shell("exec \"$0\" ladder --op ping --rung mem --budget 0.8 -o /dev/null > /dev/full"),
                  1, {"write"});
}

TEST(bad_input, pipe_that_is_closed) {
  const auto run = in_shell("{ sleep 0.5; \"$0\" ladder --list; echo \"ended with $?\" >&2; } | true");
  EXPECT_TRUE(run.err.starts_with("wirebench: ")) << run.err;
  EXPECT_NE(run.err.find("\nended with 1\n"), std::string::npos) << run.err;
}

ended quick_run(const std::string& output) {
  return run_wirebench({"ladder", "--op", "ping", "--rung", "mem", "--budget", "0.8", "-o", output});
}

TEST(bad_input, result_goes_into_a_device_and_not_in_its_place) {
  const scratch place;
  const auto link = place.path("/link");
  std::filesystem::create_symlink("/dev/null", link);
  EXPECT_EQ(quick_run(link).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_FALSE(std::filesystem::exists(link + ".partial"));
  EXPECT_EQ(quick_run("/dev/null").code, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  expect_one_line(quick_run("/dev/full"), 1, {"/dev/full"});
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(bad_input, result_goes_into_a_pipe) {
  const scratch place;
  const auto pipe = place.path("/pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = tests::whole_file(pipe); });
  const auto run = quick_run(pipe);
  if (run.code != 0) std::ofstream(pipe, std::ios::app);  // or the reader waits for ever
  reader.join();
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(nlohmann::json::parse(got)["cells"].size(), 1U);
}

TEST(bad_input, nothing_half_written_is_left) {
  const scratch place;
  const auto folder = place.path("/folder");
  std::filesystem::create_directory(folder);
  expect_one_line(quick_run(folder), 1, {folder});
  EXPECT_FALSE(std::filesystem::exists(folder + ".partial"));
}

}  // namespace
