#include "wire/endpoint.hpp"

#include "wire/connect.hpp"

#include <gtest/gtest.h>

namespace {

using wire::parse_endpoint;
using wire::protocol;

TEST(Endpoint, TakesAMongoUri) {
  const auto parsed = parse_endpoint("mongodb://127.0.0.1:27018/test");
  ASSERT_TRUE(parsed.value) << parsed.problem;
  EXPECT_EQ(parsed.value->protocol, protocol::mongo);
  EXPECT_EQ(parsed.value->host, "127.0.0.1");
  EXPECT_EQ(parsed.value->port, 27018);
  EXPECT_EQ(parsed.value->database, "test");
  EXPECT_EQ(parsed.value->display(), "127.0.0.1:27018");
}

TEST(Endpoint, TakesAMongoUnixSocket) {
  const auto parsed = parse_endpoint("mongodb://%2Ftmp%2Fpeer.sock");
  ASSERT_TRUE(parsed.value) << parsed.problem;
  EXPECT_EQ(parsed.value->path, "/tmp/peer.sock");
}

TEST(Endpoint, SaysWhatComesLater) {
  EXPECT_EQ(parse_endpoint("mongodb://u:secret@h/").value->unsupported, "SCRAM authentication");
  EXPECT_EQ(parse_endpoint("mongodb://h/?tls=true").value->unsupported, "TLS");
  EXPECT_EQ(parse_endpoint("postgresql://h/d?sslmode=require").value->unsupported, "TLS");
}

TEST(Endpoint, TakesAPostgresUri) {
  const auto parsed = parse_endpoint("postgresql://me:secret@localhost:5433/db");
  ASSERT_TRUE(parsed.value) << parsed.problem;
  EXPECT_EQ(parsed.value->protocol, protocol::pg);
  EXPECT_EQ(parsed.value->user, "me");
  EXPECT_EQ(parsed.value->password, "secret");
  EXPECT_EQ(parsed.value->database, "db");
  EXPECT_EQ(parsed.value->port, 5433);
}

TEST(Endpoint, TakesAPostgresSocketDirectory) {
  const auto parsed = parse_endpoint("postgresql:///db?host=/tmp/dir&port=5499&user=me");
  ASSERT_TRUE(parsed.value) << parsed.problem;
  EXPECT_EQ(parsed.value->path, "/tmp/dir/.s.PGSQL.5499");
}

TEST(Endpoint, TakesBareAddressesWhenTheProtocolIsKnown) {
  EXPECT_EQ(parse_endpoint("tcp:127.0.0.1:99", protocol::pg).value->port, 99);
  EXPECT_EQ(parse_endpoint("unix:/tmp/s", protocol::mongo).value->path, "/tmp/s");
  EXPECT_FALSE(parse_endpoint("tcp:127.0.0.1:99").value);
  EXPECT_FALSE(parse_endpoint("tcp:127.0.0.1:0", protocol::pg).value);
  EXPECT_FALSE(parse_endpoint("tcp:127.0.0.1:70000", protocol::pg).value);
  EXPECT_FALSE(parse_endpoint("tcp:", protocol::pg).value);
}

TEST(Endpoint, NeverQuotesAPassword) {
  for (const char* uri :
       {"mongodb://me:secret@", "postgresql://me:secret@h:notaport/d", "http://me:secret@h/"}) {
    const auto parsed = parse_endpoint(uri);
    ASSERT_FALSE(parsed.value) << uri;
    EXPECT_EQ(parsed.problem.find("secret"), std::string::npos) << parsed.problem;
    EXPECT_FALSE(parsed.problem.empty());
  }
}

TEST(Connect, NamesAClosedPort) {
  auto to = parse_endpoint("tcp:127.0.0.1:1", protocol::pg).value;
  const auto result = wire::connect(*to, std::chrono::seconds(5));
  EXPECT_FALSE(result.transport);
  EXPECT_EQ(result.error, boost::system::errc::connection_refused);
}

TEST(Connect, RefusesAnOverlongSocketPath) {
  auto to = parse_endpoint("unix:/" + std::string(200, 'x'), protocol::pg).value;
  EXPECT_EQ(wire::connect(*to, std::chrono::seconds(5)).error, boost::system::errc::filename_too_long);
}

}  // namespace
