#include "wire/endpoint.hpp"

#include "wire/channel.hpp"
#include "wire/connect.hpp"

#include "tests/support/toy_protocol.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

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

std::string unsupported(const std::string& uri) {
  const auto parsed = parse_endpoint(uri);
  return parsed.value ? parsed.value->unsupported : parsed.problem;
}

TEST(Endpoint, NamesAMongoOptionThatOnlyADriverWouldObey) {
  EXPECT_EQ(unsupported("mongodb://h/?w=0"), "the option 'w'");
  EXPECT_EQ(unsupported("mongodb://h/?journal=true"), "the option 'journal'");
  EXPECT_EQ(unsupported("mongodb://h/?readConcernLevel=local"), "the option 'readconcernlevel'");
  EXPECT_EQ(unsupported("mongodb://h/?compressors=zlib"), "the option 'compressors'");
  EXPECT_EQ(unsupported("mongodb://h/?readPreference=secondary"), "the option 'readpreference'");
  EXPECT_EQ(unsupported("mongodb://h/?replicaSet=r"), "the option 'replicaset'");
  EXPECT_EQ(unsupported("mongodb://h/?directConnection=true&w=0"), "the option 'w'");
  EXPECT_EQ(unsupported("mongodb://h/?tls=true&w=0"), "TLS");
}

TEST(Endpoint, TakesMongoOptionsThatChangeNoWork) {
  EXPECT_EQ(unsupported("mongodb://h/?directConnection=true&appName=a&ssl=false&socketTimeoutMS=1"
                        "&connectTimeoutMS=2&serverSelectionTimeoutMS=3&authSource=admin"),
            "");
  EXPECT_EQ(unsupported("mongodb://h/?tls=false"), "");
}

TEST(Endpoint, NamesAPostgresOptionThatOnlyADriverWouldObey) {
  for (const std::string option :
       {"options=-c%20x%3Dy", "gssencmode=require", "channel_binding=require", "service=s", "keepalives=0",
        "target_session_attrs=read-write", "sslcert=c", "replication=database", "requirepeer=p"}) {
    EXPECT_EQ(unsupported("postgresql://h/d?" + option),
              "the option '" + option.substr(0, option.find('=')) + "'");
  }
  EXPECT_EQ(unsupported("postgresql://h/d?sslrootcert=c&sslmode=verify-full"), "TLS");
}

TEST(Endpoint, TakesPostgresOptionsThatChangeNoWork) {
  EXPECT_EQ(unsupported("postgresql://u:p@h:1/d?hostaddr=127.0.0.1&passfile=f&connect_timeout=1"
                        "&application_name=a&fallback_application_name=b&client_encoding=UTF8&sslmode=allow"
                        "&gssencmode=disable&target_session_attrs=any&sslcompression=1&sslsni=0"
                        "&ssl_min_protocol_version=TLSv1.3&channel_binding=disable&krbsrvname=k&options="),
            "");
  EXPECT_EQ(unsupported("postgresql://h/d?sslmode=disable&sslcert=c"), "");
}

/// A variable of the environment, for as long as the handle.
class variable {
 public:
  variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
  ~variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST(Endpoint, HeedsPgVariablesAsLibpqDoes) {
  const std::string uri = "postgresql://u@h:1/d";
  {
    const variable sslmode("PGSSLMODE", "require");
    EXPECT_EQ(unsupported(uri), "TLS");
    EXPECT_EQ(unsupported(uri + "?sslmode=disable"), "");
  }
  {
    const variable options("PGOPTIONS", "-c x=y");
    EXPECT_EQ(unsupported(uri), "the option 'options'");
    EXPECT_EQ(unsupported(uri + "?options="), "");
  }
  const variable address("PGHOSTADDR", "10.9.9.9");
  EXPECT_EQ(parse_endpoint(uri).value->host, "10.9.9.9");
  EXPECT_EQ(parse_endpoint(uri + "?hostaddr=127.0.0.1").value->host, "127.0.0.1");
  EXPECT_EQ(parse_endpoint(uri + "?hostaddr=").value->host, "h");
  const variable port("PGPORT", "7");
  EXPECT_EQ(parse_endpoint("postgresql://h").value->port, 7);
  EXPECT_EQ(parse_endpoint("postgresql://h?port=").value->port, 5432);
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

// Where libpq goes then: on UNIX systems to the socket directory that it was built with.
TEST(Endpoint, WithoutAHostIsLibpqsOwnSocketDirectory) {
  const auto parsed = parse_endpoint("postgresql:///db");
  ASSERT_TRUE(parsed.value) << parsed.problem;
  EXPECT_TRUE(parsed.value->is_unix()) << parsed.value->display();
  EXPECT_TRUE(parsed.value->path.ends_with("/.s.PGSQL.5432")) << parsed.value->path;
  const variable host("PGHOST", "db.example");
  EXPECT_EQ(parse_endpoint("postgresql:///db").value->host, "db.example");
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
       {"mongodb://me:secret@", "postgresql://me:secret@h:notaport/d", "http://me:secret@h/", "me:secret@h",
        "host=h password=secret", "postgresql://me:secret?x@h:notaport/d",
        "postgresql://h:notaport/d?p%61ssword=secret", "postgresql://h/d?p%61ssword=secret%zz",
        "mongodb://h,i/?tls=true&tlsCertificateKeyFilePassword=secret", "tcp:me:secret@h:notaport"}) {
    const auto parsed = parse_endpoint(uri, protocol::pg);
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

wire::endpoint endpoint_of(int listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  return *parse_endpoint("tcp:127.0.0.1:" + std::to_string(ntohs(address.sin_port)), protocol::pg).value;
}

TEST(Connect, LooksNamesUp) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  auto to = endpoint_of(listener);
  to.host = "localhost";
  EXPECT_TRUE(wire::connect(to, std::chrono::seconds(10)).transport);
  to.host = "no-such-host.invalid";  // RFC 6761: there is none
  const auto began = std::chrono::steady_clock::now();
  const auto lost = wire::connect(to, std::chrono::milliseconds(500));
  EXPECT_FALSE(lost.transport);
  EXPECT_TRUE(lost.error);
  EXPECT_LT(std::chrono::steady_clock::now() - began,
            std::chrono::seconds(5));  // however long the resolver tries
  ::close(listener);
}

// A socket that listens and never accepts: its backlog is full after one connection or two.
TEST(Connect, GivesUpOnAPeerThatDoesNotAccept) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_EQ(::listen(listener, 0), 0);
  const auto to = endpoint_of(listener);
  std::vector<wire::connected> waiting;
  do {
    waiting.push_back(wire::connect(to, std::chrono::milliseconds(100)));
  } while (waiting.back().transport && waiting.size() < 10);
  EXPECT_EQ(waiting.back().error, codecs::errc::remote_timeout);
  ::close(listener);
}

// Case C38: the 40 ms come from two small writes under Nagle's algorithm; with `off` there is neither.
TEST(Connect, NagleIsOffUnlessAskedFor) {
  for (const auto delay : {wire::nagle::off, wire::nagle::on}) {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    ASSERT_EQ(::listen(listener, 1), 0);
    const auto to = endpoint_of(listener);
    auto connected = wire::connect(to, std::chrono::seconds(5), delay);
    ASSERT_TRUE(connected.transport);
    std::thread peer([fd = ::accept(listener, nullptr, nullptr)] {
      tests::toy_conversation echo;
      wire::channel(wire::make_socket_transport(fd)).serve(echo);
    });
    {
      wire::channel channel(std::move(connected.transport));
      int no_delay = -1;
      socklen_t size = sizeof no_delay;
      ::getsockopt(channel.native_handle(), IPPROTO_TCP, TCP_NODELAY, &no_delay, &size);
      EXPECT_EQ(no_delay != 0, delay == wire::nagle::off);
      const std::vector<std::uint8_t> piece(100, 'x');
      tests::toy_exchange op(piece, 1, 1);
      for (int i = 0; i < 3; ++i) EXPECT_FALSE(channel.run(op));
      EXPECT_EQ(channel.counters().writes, delay == wire::nagle::off ? 3u : 6u);
      EXPECT_EQ(channel.counters().bytes_out, 3 * 104u);
    }
    peer.join();
    ::close(listener);
  }
}

TEST(Connect, RefusesAnOverlongSocketPath) {
  auto to = parse_endpoint("unix:/" + std::string(200, 'x'), protocol::pg).value;
  EXPECT_EQ(wire::connect(*to, std::chrono::seconds(5)).error, boost::system::errc::filename_too_long);
}

}  // namespace
