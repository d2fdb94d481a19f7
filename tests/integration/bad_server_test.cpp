// Servers that refuse, hang up, answer nonsense or nothing: one clear line, and what was measured before is kept.

#include "tests/integration/complaint.hpp"
#include "tests/integration/fake_server.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;
using tests::against;
using tests::expect_one_line;
using tests::fake_server;
using tests::loop_against;
using tests::scratch;

/// A port that nobody listens on: one that was free a moment ago.
std::string closed_port() {
  return std::to_string(fake_server([](const std::string&, int) {}).port());
}

TEST(bad_server, port_closed) {
  const auto port = closed_port();
  const auto address = "127.0.0.1:" + port;
  expect_one_line(against("ping", "mongodb://" + address + "/"), 1, {address, "refused"});
  expect_one_line(against("select1", "postgresql://u@" + address + "/d"), 1, {address, "refused"});
  expect_one_line(loop_against("libmongoc", "ping", "mongodb://" + address + "/"), 1, {port});
  expect_one_line(loop_against("libpq", "select1", "postgresql://u@" + address + "/d"), 1, {port});
}

/// AuthenticationSASL with one mechanism.
const std::string asks_for_scram("R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0", 24);

TEST(bad_server, server_that_asks_for_scram) {
  const fake_server server([](const std::string&, int fd) {
    tests::say(fd, asks_for_scram);
    tests::wait_for_hang_up(fd);
  });
  expect_one_line(against("select1", server.pg_uri()), 1, {"SCRAM"});
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

TEST(bad_server, mongo_server_hangs_up_at_any_byte) {
  expect_hang_ups_told("mongo", "ping");
}

TEST(bad_server, pg_server_hangs_up_at_any_byte) {
  expect_hang_ups_told("pg", "select1");
}

TEST(bad_server, drivers_tell_of_a_hang_up_in_one_line_too) {
  const fake_server server([](const std::string&, int) {});
  expect_one_line(loop_against("libmongoc", "ping", server.mongo_uri()), 1, {"libmongoc"});
  expect_one_line(loop_against("libpq", "select1", server.pg_uri()), 1, {"libpq", "closed the connection"});
}

TEST(bad_server, server_sends_garbage) {
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

TEST(bad_server, mongo_server_answers_an_error) {
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

TEST(bad_server, pg_server_answers_an_error) {
  const fake_server server([](const std::string&, int fd) { tests::say(fd, pg_error); });
  const auto run = against("select1", server.pg_uri());
  expect_one_line(run, 1, {"no entry", "28000"});
  EXPECT_EQ(run.err.find('\x1b'), std::string::npos) << "a server must not steer the terminal";
}

/// C34: a server that accepts and never answers.
TEST(bad_server, silence_ends_with_the_timeout) {
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

TEST(bad_server, silence_ends_a_driver_with_the_timeout) {
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

TEST(bad_server, mongo_server_dies_and_the_rows_before_are_kept) {
  expect_rows_kept("mongo", "insert_one");
}

TEST(bad_server, pg_server_dies_and_the_rows_before_are_kept) {
  expect_rows_kept("pg", "select1");
}

}  // namespace
