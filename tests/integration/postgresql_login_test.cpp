// Opening a session with a PostgreSQL that nobody here wrote.

#include "tests/integration/postgresql.hpp"

namespace tests {
namespace {

using codecs::errc;

constexpr char password[] = "p:ss w@rd";

TEST_F(PostgreSql, TrustsWhomItIsToldToTrust) {
  EXPECT_EQ(client_.session().protocol, codecs::pg::protocol_3_0);
  EXPECT_GT(client_.session().backend_pid, 0);
  EXPECT_EQ(client_.session().cancel_key.size(), 4u);
  EXPECT_EQ(client_.session().parameter("server_encoding"), "UTF8");
}

TEST_F(PostgreSql, OverUnixSocket) {
  wire::pg::client client(connect(cluster_->unix_uri()), &dog_);
  log_in(client);
  EXPECT_FALSE(client.query("SELECT 1")) << client.why();
}

// Case S09: the answer N to an SSLRequest is one byte, and the session goes on in clear.
TEST_F(PostgreSql, RefusesEncryptionAndGoesOn) {
  wire::pg::client client(connect(uri()), &dog_);
  const auto error =
      client.log_in({.user = "postgres", .password = {}, .parameters = {}, .ask_for_encryption = true});
  ASSERT_FALSE(error) << client.why();
  EXPECT_FALSE(client.query("SELECT 1")) << client.why();
}

TEST_F(PostgreSql, NamesARoleThatIsNotThere) {
  wire::pg::client client(connect(uri()), &dog_);
  EXPECT_EQ(client.log_in({.user = "nobody", .password = {}, .parameters = {}}), errc::remote_server_error);
  EXPECT_NE(client.why().find("role \"nobody\" does not exist (28000)"), std::string::npos) << client.why();
}

/// Protocol 3.2 came with PostgreSQL 18.
bool speaks_3_2(const fixtures::pg_cluster& cluster) {
  return cluster.name().starts_with("PostgreSQL 18");
}

// Case C31: PostgreSQL 15 knows neither 3.2 nor the option, and says so; 18 knows 3.2, whose keys are longer.
TEST_F(PostgreSql, NegotiatesTheVersionDown) {
  wire::pg::client client(connect(uri()), &dog_);
  const codecs::pg::parameter option{"_pq_.x", "1"};
  const auto error = client.log_in(
      {.user = "postgres", .password = {}, .parameters = {&option, 1}, .protocol = codecs::pg::protocol_3_2});
  ASSERT_FALSE(error) << client.why();
  const bool newer = speaks_3_2(*cluster_);
  EXPECT_EQ(client.session().protocol, newer ? codecs::pg::protocol_3_2 : codecs::pg::protocol_3_0);
  EXPECT_EQ(client.session().cancel_key.size(), newer ? 32u : 4u);
  EXPECT_FALSE(client.query("SELECT 1")) << client.why();
}

// Case C31 as literal bytes.
TEST_F(PostgreSql, AnswersVersion32WithTheOneItSpeaks) {
  wire::channel channel(connect(uri()), &dog_);
  const auto startup = hex(R"(
    00000019                  # length 25
    00030002                  # 3.2
    75736572 00 75 00         # user u
    5f70715f2e78 00 31 00 00  # _pq_.x 1
  )");
  ASSERT_EQ(channel.write_some(startup).bytes, startup.size());
  bytes reply(20);
  std::size_t have = 0;
  while (have < reply.size()) {
    const auto got = channel.read_some(codecs::bytes_span(reply).subspan(have));
    ASSERT_GT(got.bytes, 0u);
    have += got.bytes;
  }
  auto expected = hex(R"(
    76 00000013      # NegotiateProtocolVersion, length 19
    00030000         # 3.0
    00000001         # one option unknown
    5f70715f2e78 00  # _pq_.x
  )");
  if (speaks_3_2(*cluster_)) expected[8] = 2;
  EXPECT_EQ(to_hex(reply), to_hex(expected));
}

/// A server of its own for each method of authentication.
class Password : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto started = fixtures::pg_cluster::start({.auth = GetParam(), .password = password});
    ASSERT_TRUE(started.ok()) << started.status();
    cluster_ = *std::move(started);
    client_.emplace(connect(cluster_->tcp_uri()), &dog_);
  }

  codecs::error_code log_in(const char* with) {
    return client_->log_in({.user = "postgres", .database = "postgres", .password = with, .parameters = {}});
  }

  std::optional<fixtures::pg_cluster> cluster_;
  wire::watchdog dog_{patience};
  std::optional<wire::pg::client> client_;
};

class SpokenPassword : public Password {};

TEST_P(SpokenPassword, OpensASessionIfItIsRight) {
  ASSERT_FALSE(log_in(password)) << client_->why();
  EXPECT_FALSE(client_->query("SELECT 1")) << client_->why();

  client_.emplace(connect(cluster_->tcp_uri()), &dog_);
  EXPECT_EQ(log_in("secret"), errc::remote_server_error);
  EXPECT_EQ(client_->why(),
            "the server answered with an error (startup): FATAL: password authentication failed for user "
            "\"postgres\" (28P01)");
}

INSTANTIATE_TEST_SUITE_P(PostgreSql, SpokenPassword, testing::Values("password", "md5"));

class UnspokenPassword : public Password {};

TEST_P(UnspokenPassword, IsNamed) {
  EXPECT_EQ(log_in(password), errc::remote_unsupported);
  EXPECT_NE(client_->why().find("the server asks for SCRAM authentication, which comes later"),
            std::string::npos)
      << client_->why();
  EXPECT_FALSE(client_->channel().usable());
}

INSTANTIATE_TEST_SUITE_P(PostgreSql, UnspokenPassword, testing::Values("scram-sha-256"));

}  // namespace
}  // namespace tests
