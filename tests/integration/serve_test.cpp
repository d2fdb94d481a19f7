// `wirebench serve` as any driver in any language meets it, well-behaved or not.

#include "tests/fixtures/bare_client.hpp"
#include "tests/integration/command.hpp"
#include "tests/support/hex.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <regex>

namespace {

using fixtures::connect_tcp;
using fixtures::descriptor;
using tests::served;

std::string raw(std::string_view hex) {
  const auto bytes = tests::hex(hex);
  return {bytes.begin(), bytes.end()};
}

void send_all(const descriptor& to, const std::string& bytes) {
  ASSERT_EQ(::send(to.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
}

/// {ping: 1, $db: "admin"}, 51 bytes.
const std::string ping_header = raw(R"(
  33000000  # messageLength 51
  07000000  # requestID 7
  00000000  # responseTo
  dd070000  # OP_MSG
)");
const std::string ping_body = raw(R"(
  00000000                        # flagBits
  00                              # kind 0
  1e000000                        # document of 30 bytes
  1070696e670001000000            # ping: int32 1
  02246462000600000061646d696e00  # $db: "admin"
  00
)");

void expect_ping_answered(const descriptor& connection) {
  const auto reply = fixtures::ask(connection, ping_header + ping_body, 38);
  ASSERT_EQ(reply.size(), 38U);                                       // {ok: 1.0}
  EXPECT_EQ(reply.substr(0, 4), raw("26000000"));                     // messageLength 38
  EXPECT_EQ(reply.substr(8, 8), raw("07000000 dd070000"));            // to requestID 7, OP_MSG
  EXPECT_EQ(reply.substr(25, 12), raw("016f6b00 000000000000f03f"));  // ok: double 1.0
}

/// What comes until the peer hangs up or is silent for as long as bare_client waits.
struct answer {
  std::string bytes;
  bool hung_up = false;
};

answer answer_to(const descriptor& connection, const std::string& bytes) {
  send_all(connection, bytes);
  answer heard;
  char piece[4096];
  ssize_t got = 0;
  while ((got = ::recv(connection.get(), piece, sizeof piece, 0)) > 0)
    heard.bytes.append(piece, static_cast<std::size_t>(got));
  heard.hung_up = got == 0 || errno == ECONNRESET;
  return heard;
}

long resident_kib(pid_t pid) {
  const auto status = tests::whole_file("/proc/" + std::to_string(pid) + "/status");
  std::smatch found;
  return std::regex_search(status, found, std::regex(R"(VmRSS:\s+(\d+) kB)")) ? std::stol(found[1]) : -1;
}

/// What it has been sent has not made it take memory: less than the smallest of the lengths that it was told. `before`: what it had
/// then, which depends on the build.
void expect_small(served& server, long before) {
  EXPECT_GT(before, 0);
  EXPECT_LT(resident_kib(server.program().pid()) - before, 32 * 1024);
}

TEST(serve, one_ready_line_with_the_uri) {
  served mongo("mongo");
  EXPECT_TRUE(std::regex_match(mongo.uri(), std::regex(R"(mongodb://127\.0\.0\.1:\d+/)"))) << mongo.uri();
  served pg("pg");
  EXPECT_TRUE(std::regex_match(pg.uri(), std::regex(R"(postgresql://wirebench@127\.0\.0\.1:\d+/wirebench)")))
      << pg.uri();
  for (auto* server : {&mongo, &pg}) {
    server->program().signal(SIGTERM);
    const auto run = server->program().wait(5);
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.out, server->uri() + "\n");
    EXPECT_EQ(run.err, "served 0 connections, 0 frames received, 0 sent\n");
  }
}

TEST(serve, tells_at_its_end_which_service_time_it_achieved) {
  served server("mongo", {"--service-time", "1.5ms", "--delay-mode", "sleep"});
  const auto client = connect_tcp(server.port());
  for (int i = 0; i < 3; ++i) expect_ping_answered(client);
  server.program().signal(SIGINT);
  const auto run = server.program().wait(5);
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, server.uri() + "\n");
  std::smatch found;
  ASSERT_TRUE(std::regex_match(run.err, found, std::regex(R"(served 1 connections, 3 frames received, 3 sent
service time: 3 requests, 1500\.0 us wanted, (\d+\.\d) us achieved \(sleep, mean\), (\d+\.\d) us at most
)"))) << run.err;
  EXPECT_GE(std::stod(found[1]), 1500.0);
  EXPECT_GE(std::stod(found[2]), std::stod(found[1]));
}

TEST(serve, receives_as_told) {
  served server("mongo", {"--receive", "discard"});
  expect_ping_answered(connect_tcp(server.port()));
  const auto run = tests::run_wirebench({"serve", "mongo", "--receive", "eat"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("discard"), std::string::npos) << run.err;
}

TEST(serve, refuses_service_times_that_cannot_be) {
  for (const auto* wrong : {"200", "-1us", "5s", "fast", "inf"}) {
    const auto run = tests::run_wirebench({"serve", "mongo", "--service-time", wrong});
    EXPECT_EQ(run.code, 2) << wrong;
    EXPECT_NE(run.err.find("is not a duration between 0 and 4s"), std::string::npos) << run.err;
  }
  EXPECT_EQ(tests::run_wirebench({"serve", "mongo", "--delay-mode", "doze"}).code, 2);
}

TEST(serve, sigterm_ends_it_although_a_client_is_there) {
  served server("mongo");
  const auto client = connect_tcp(server.port());
  expect_ping_answered(client);
  server.program().signal(SIGTERM);
  EXPECT_EQ(server.program().wait(5).code, 0);
  EXPECT_EQ(fixtures::receive(client, 1), "");
}

TEST(serve, port_in_use) {
  served server("mongo");
  const auto port = std::to_string(server.port());
  const auto run = tests::run_wirebench({"serve", "pg", "--port", port});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(tests::lines_of(run.err), 1U) << run.err;
  EXPECT_NE(run.err.find(port), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("in use"), std::string::npos) << run.err;
}

TEST(serve, two_connections_at_once) {
  served server("mongo");
  const auto first = connect_tcp(server.port());
  const auto second = connect_tcp(server.port());
  send_all(first, ping_header);  // in the middle of a message
  expect_ping_answered(second);
  const auto reply = fixtures::ask(first, ping_body, 38);
  EXPECT_EQ(reply.size(), 38U);
  expect_ping_answered(first);
}

/// C38: Nagle holds the body back until the header is acknowledged.
TEST(serve, client_that_writes_header_and_body_apart_without_nodelay) {
  served server("mongo");
  const auto client = connect_tcp(server.port());
  for (int i = 0; i < 30; ++i) {
    send_all(client, ping_header);
    ASSERT_EQ(fixtures::ask(client, ping_body, 38).size(), 38U) << i;
  }
}

/// C19: everything arrives one byte at a time.
TEST(serve, client_that_writes_single_bytes) {
  served server("mongo");
  const auto client = connect_tcp(server.port());
  for (const char byte : ping_header + ping_body) send_all(client, std::string(1, byte));
  EXPECT_EQ(fixtures::receive(client, 38).size(), 38U);
  expect_ping_answered(client);
}

/// C10: lengths that cannot be. Whatever is answered, the connection is over.
TEST(serve, mongo_impossible_lengths) {
  const std::string insert_body = "0000000000 1e000000 02696e73657274000200000063000224646200020000007400 00";
  const std::string head = " 08000000 00000000 dd070000";
  const std::vector<std::string> inputs{
      raw("00000000"),                             // a: messageLength 0, and no more
      raw("0f000000 0000000000000000000000"),      // b: 15, less than a header
      raw("016cdc02 09000000 00000000 dd070000"),  // c: 48,000,001, header alone
      raw("ffffffff"),                             // d: -1
      raw("50000000" + head + insert_body +        // e: section length -1
          "01 ffffffff 646f63756d656e747300 0e000000105f69640001000000 00"),
      raw("50000000" + head + insert_body +  // f: section length 3
          "01 03000000 646f63756d656e747300 0e000000105f69640001000000 00"),
      raw("50000000" + head + insert_body +  // g: 29, one more than the rest
          "01 1d000000 646f63756d656e747300 0e000000105f69640001000000 00"),
      raw("41000000" + head + insert_body + "01 0d000000 646f63756d656e7473"),  // h: identifier without NUL
  };
  served server("mongo");
  const auto before = resident_kib(server.program().pid());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto heard = answer_to(connect_tcp(server.port()), inputs[i]);
    EXPECT_TRUE(heard.hung_up) << "input " << static_cast<char>('a' + i);
    EXPECT_LT(heard.bytes.size(), 1024U);
  }
  expect_ping_answered(connect_tcp(server.port()));
  expect_small(server, before);
}

/// StartupMessage 3.0 of user "u", 16 bytes.
const std::string startup = raw("00000010 00030000 7573657200 7500 00");
const std::string ready_for_query = raw("5a 00000005 49");

descriptor logged_in(const served& server) {
  auto connection = connect_tcp(server.port());
  send_all(connection, startup);
  EXPECT_TRUE(fixtures::receive_until(connection, ready_for_query).ends_with(ready_for_query));
  return connection;
}

/// S11: lengths out of bounds, heads alone.
TEST(serve, pg_lengths_out_of_bounds) {
  served server("pg");
  const auto before = resident_kib(server.program().pid());
  for (const auto* head : {"51 00000003", "51 3fffffff", "51 40000000", "51 ffffffff"}) {
    const auto heard = answer_to(logged_in(server), raw(head));
    EXPECT_TRUE(heard.hung_up) << head;
    EXPECT_LT(heard.bytes.size(), 1024U) << head;
  }
  EXPECT_TRUE(answer_to(connect_tcp(server.port()), raw("00002711 00030000")).hung_up) << "startup of 10,001";
  logged_in(server);
  expect_small(server, before);
}

/// S11: a Query needs its NUL. C22: 65,535 parameters are declared and none is there.
TEST(serve, pg_messages_that_end_early) {
  served server("pg");
  const auto before = resident_kib(server.program().pid());
  for (const auto* message : {"51 00000004", "42 0000000a 00 00 0000 ffff"}) {
    const auto connection = logged_in(server);
    send_all(connection, raw(message));
    const auto first = fixtures::receive(connection, 1);
    EXPECT_TRUE(first == "E" || first.empty()) << message << " was answered with " << first;
  }
  logged_in(server);
  expect_small(server, before);
}

}  // namespace
