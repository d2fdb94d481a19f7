// Bad input of every kind: one clear line, an exit code that says whose fault it is, and no
// crash.

#include "tests/integration/command.hpp"
#include "tests/integration/fake_server.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;
using tests::ended;
using tests::fake_server;
using tests::run_wirebench;
using tests::scratch;
using tests::words;

void expect_one_line(const ended& run, int code, const std::vector<std::string>& parts) {
  EXPECT_EQ(run.code, code) << run.err;
  EXPECT_EQ(tests::lines_of(run.err), 1U) << run.err;
  EXPECT_TRUE(run.err.starts_with("wirebench: ")) << run.err;
  for (const auto& part : parts) EXPECT_NE(run.err.find(part), std::string::npos) << part << ": " << run.err;
}

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
    ::testing::Values(refused{{}, "subcommand"},                                      //
                      refused{{"frob"}, "'frob'"},                                    //
                      refused{{"--nope"}, "'--nope'"},                                //
                      refused{{"ladder", "--nope"}, "--nope"},                        //
                      refused{{"ladder", "surplus"}, "surplus"},                      //
                      refused{{"ladder", "--op", "nope"}, "'nope'"},                  //
                      refused{{"ladder", "--op", "ping,nope"}, "'nope'"},             //
                      refused{{"ladder", "--rung", "tcp9"}, "'tcp9'"},                //
                      refused{{"ladder", "--real", "redis://h"}, "'redis://h'"},      //
                      refused{{"ladder", "--real", "mongodb://"}, "'mongodb://'"},    //
                      refused{{"ladder", "--real", "postgresql://h:port/"}, "port"},  //
                      refused{{"docs", "--count", "0"}, "--count"},                   //
                      refused{{"docs", "--count", "-1"}, "--count"},                  //
                      refused{{"docs", "--found", "0"}, "--found"},                   //
                      refused{{"docs", "--count", "9", "--found", "10"}, "among 9"},  //
                      refused{{"docs", "--threads", "0"}, "--threads"},               //
                      refused{{"docs", "--threads", "101"}, "101 threads"},           //
                      refused{{"docs", "--size", "44"}, "44 bytes"},                  //
                      refused{{"docs", "--size", "16777217"}, "16777217 bytes"},      //
                      refused{{"docs", "--size", "1000000"}, "lower --batch"},        //
                      refused{{"docs", "--batch", "0"}, "--batch"},                   //
                      refused{{"docs", "--batch", "100001"}, "batch of 100001"},      //
                      refused{{"docs", "--real", "pg"}, "MongoDB"},                   //
                      refused{{"docs", "--server-pid", "1"}, "--server-pid"},         //
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

/// The quickest run of a subcommand that talks to a real server.
ended against(const std::string& op, const std::string& uri, const scratch& place = scratch()) {
  return run_wirebench(
      {"ladder", "--op", op, "--rung", "real", "--budget", "2", "--timeout", "0.3", "--real", uri}, place);
}

ended loop_against(const std::string& client, const std::string& op, const std::string& uri) {
  return run_wirebench({"loop", client, op, "1", "--timeout", "0.3", "--real", uri});
}

/// A port that nobody listens on: one that was free a moment ago.
std::string closed_port() {
  return std::to_string(fake_server([](const std::string&, int) {}).port());
}

TEST(bad_input, port_closed) {
  const auto port = closed_port();
  const auto address = "127.0.0.1:" + port;
  expect_one_line(against("ping", "mongodb://" + address + "/"), 1, {address, "refused"});
  expect_one_line(against("select1", "postgresql://u@" + address + "/d"), 1, {address, "refused"});
  expect_one_line(loop_against("libmongoc", "ping", "mongodb://" + address + "/"), 1, {port});
  expect_one_line(loop_against("libpq", "select1", "postgresql://u@" + address + "/d"), 1, {port});
}

TEST(bad_input, scram_and_tls_come_later) {
  for (const auto* uri : {"mongodb://joe:hunter2@127.0.0.1:1/", "mongodb://127.0.0.1:1/?tls=true"})
    expect_one_line(against("ping", uri), 1, {"127.0.0.1:1", "comes later"});
  expect_one_line(against("select1", "postgresql://u@127.0.0.1:1/d?sslmode=require"), 1,
                  {"127.0.0.1:1", "comes later"});
}

/// AuthenticationSASL with one mechanism.
const std::string asks_for_scram("R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0", 24);

TEST(bad_input, server_that_asks_for_scram) {
  const fake_server server([](const std::string&, int fd) {
    tests::say(fd, asks_for_scram);
    tests::wait_for_hang_up(fd);
  });
  expect_one_line(against("select1", server.pg_uri()), 1, {"SCRAM"});
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

/// What a null server answers to the first message that wirebench sends for `op`.
struct first_reply {
  std::string request;
  std::string reply;
};

first_reply record(const std::string& protocol, const std::string& op) {
  first_reply recorded;
  std::mutex guard;
  {
    const fake_server server([&](const std::string& request, int) {
      const std::lock_guard lock(guard);
      recorded.request = request;
    });
    against(op, protocol == "mongo" ? server.mongo_uri() : server.pg_uri());
  }
  tests::served real(protocol);
  const auto connection = fixtures::connect_tcp(real.port());
  const timeval patience{0, 300'000};  // the reply's size is not known: it ends where silence begins
  setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  recorded.reply = fixtures::ask(connection, recorded.request, 4096);
  return recorded;
}

/// Every seventh place, and those around headers.
std::vector<std::size_t> cuts(std::size_t size) {
  std::vector<std::size_t> at{0, 1, 4, 5, 9, 15, 16, 17, 20, 21, size - 1, size};
  for (std::size_t k = 24; k < size; k += std::max<std::size_t>(size / 8, 1)) at.push_back(k);
  return at;
}

void expect_hang_ups_told(const std::string& protocol, const std::string& op) {
  const auto recorded = record(protocol, op);
  ASSERT_GT(recorded.reply.size(), 100U);
  std::atomic<std::size_t> k = 0;
  const fake_server server([&](const std::string&, int fd) { tests::say(fd, recorded.reply.substr(0, k)); });
  for (const auto cut : cuts(recorded.reply.size())) {
    SCOPED_TRACE(cut);
    k = cut;
    expect_one_line(against(op, protocol == "mongo" ? server.mongo_uri() : server.pg_uri()), 1,
                    {op + "/real/raw", "closed the connection"});
  }
}

TEST(bad_input, mongo_server_hangs_up_at_any_byte) {
  expect_hang_ups_told("mongo", "ping");
}

TEST(bad_input, pg_server_hangs_up_at_any_byte) {
  expect_hang_ups_told("pg", "select1");
}

TEST(bad_input, drivers_tell_of_a_hang_up_in_one_line_too) {
  const fake_server server([](const std::string&, int) {});
  expect_one_line(loop_against("libmongoc", "ping", server.mongo_uri()), 1, {"libmongoc"});
  expect_one_line(loop_against("libpq", "select1", server.pg_uri()), 1, {"libpq", "closed the connection"});
}

TEST(bad_input, server_sends_garbage) {
  const fake_server server([](const std::string&, int fd) {
    tests::say(fd, "HTTP/1.1 400 Bad Request\r\n\r\n");
    tests::wait_for_hang_up(fd);
  });
  expect_one_line(against("ping", server.mongo_uri()), 5, {"messageLength"});
  expect_one_line(against("select1", server.pg_uri()), 5, {"length"});
}

/// OP_MSG, 85 bytes: {ok: 0.0, errmsg: "no entry", code: 13, codeName: "U"}, to requestID 1.
const std::string mongo_error(
    "\x55\0\0\0"  // messageLength 85
    "\x01\0\0\0"  // requestID
    "\x01\0\0\0"  // responseTo
    "\xdd\x07\0\0"
    "\0\0\0\0"    // flagBits
    "\0"          // kind 0
    "\x40\0\0\0"  // document of 64 bytes
    "\x01ok\0"    // double
    "\0\0\0\0\0\0\0\0"
    "\x02"  // string
    "errmsg\0"
    "\x09\0\0\0"
    "no entry\0"
    "\x10"  // int32
    "code\0"
    "\x0d\0\0\0"
    "\x02"  // string
    "codeName\0"
    "\x02\0\0\0"
    "U\0"
    "\0",
    85);

TEST(bad_input, mongo_server_answers_an_error) {
  const fake_server server([](const std::string&, int fd) {
    tests::say(fd, mongo_error);
    tests::wait_for_hang_up(fd);
  });
  expect_one_line(against("ping", server.mongo_uri()), 1, {"no entry", "13"});
}

/// ErrorResponse, 34 bytes; its text has a line break and an escape sequence.
const std::string pg_error(
    "E"
    "\0\0\0\x21"  // length 33
    "SFATAL\0"
    "C28000\0"
    "Mno\nentry\x1b[2J\0"
    "\0",
    34);

TEST(bad_input, pg_server_answers_an_error) {
  const fake_server server([](const std::string&, int fd) { tests::say(fd, pg_error); });
  const auto run = against("select1", server.pg_uri());
  expect_one_line(run, 1, {"no entry", "28000"});
  EXPECT_EQ(run.err.find('\x1b'), std::string::npos) << "a server must not steer the terminal";
}

/// C34: a server that accepts and never answers.
TEST(bad_input, silence_ends_with_the_timeout) {
  const fake_server server([](const std::string&, int fd) { tests::wait_for_hang_up(fd); });
  const auto began = std::chrono::steady_clock::now();
  const auto mongo = against("ping", server.mongo_uri());
  const auto pg = against("select1", server.pg_uri());
  EXPECT_LT(std::chrono::steady_clock::now() - began, 10s);
  for (const auto& run : {mongo, pg}) {
    expect_one_line(run, 1, {"did not answer in time"});
    EXPECT_EQ(run.out, "");  // no NaN where nothing was measured
  }
}

TEST(bad_input, silence_ends_a_driver_with_the_timeout) {
  const fake_server server([](const std::string&, int fd) { tests::wait_for_hang_up(fd); });
  expect_one_line(loop_against("libmongoc", "ping", server.mongo_uri()), 1, {"libmongoc"});
  expect_one_line(loop_against("libpq", "select1", server.pg_uri()), 1, {"libpq", "time"});
}

void expect_rows_kept(const std::string& protocol, const std::string& op) {
  tests::served server(protocol);
  const scratch place;
  tests::command ladder({tests::wirebench(), "ladder", "--op", op, "--rung", "tcp0,real", "--budget", "20",
                         "--json", "--real", server.uri()},
                        place);
  std::this_thread::sleep_for(4s);  // warm-up takes 0.8 s
  server.program().signal(SIGKILL);
  const auto run = ladder.wait();
  EXPECT_EQ(run.code, 1);
  ASSERT_EQ(tests::lines_of(tests::without_warnings(run.err)), 2U)
      << run.err;  // what happened, and where the result is
  EXPECT_NE(run.err.find("/real/"), std::string::npos) << run.err;
  ASSERT_EQ(place.results().size(), 1U);
  const auto saved = nlohmann::json::parse(tests::whole_file(place.results().front()));
  EXPECT_TRUE(saved == nlohmann::json::parse(run.out)) << "the file does not hold what was printed";
  ASSERT_EQ(saved["cells"].size(), 4U);
  for (const auto& cell : saved["cells"]) EXPECT_FALSE(cell["rounds"].empty()) << cell["id"];
}

TEST(bad_input, mongo_server_dies_and_the_rows_before_are_kept) {
  expect_rows_kept("mongo", "insert_one");
}

TEST(bad_input, pg_server_dies_and_the_rows_before_are_kept) {
  expect_rows_kept("pg", "select1");
}

}  // namespace
