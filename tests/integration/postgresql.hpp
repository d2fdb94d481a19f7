#pragma once
// What the tests against a real PostgreSQL share: one temporary server, and literal messages.

#include "wire/pg/client.hpp"

#include "tests/integration/connection.hpp"
#include "tests/integration/postgresql_server.hpp"
#include "tests/support/hex.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace tests {

/// One cluster per suite, with trust as its authentication, and one session per test.
class PostgreSql : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started = start_postgresql();
    ASSERT_TRUE(started.ok()) << started.status();
    cluster_ = *std::move(started);
  }
  static void TearDownTestSuite() { cluster_.reset(); }

  void SetUp() override { log_in(client_); }

  static std::string uri() { return cluster_.value().tcp_uri(); }

  static void log_in(wire::pg::client& client) {
    const auto error =
        client.log_in({.user = "postgres", .database = "postgres", .password = {}, .parameters = {}});
    ASSERT_FALSE(error) << client.why();
  }

  static inline std::optional<fixtures::pg_cluster> cluster_;

  wire::watchdog dog_{patience};
  wire::pg::client client_{connect(uri()), &dog_};
};

/// Sends literal messages and writes down the type of every reply, up to a ReadyForQuery.
class literal_exchange final : public codecs::pg::session_exchange {
 public:
  literal_exchange(codecs::pg::session& state, std::string_view messages)
      : session_exchange(state), messages_(hex(messages)) {}

  codecs::progress start(codecs::send_buffer& out) override {
    begin();
    types.clear();
    codecs::writer to(out);
    to.bytes(messages_);
    return sent(to);
  }

  codecs::progress on_frame(codecs::bytes_view frame, codecs::send_buffer&) override {
    types += static_cast<char>(frame[0]);
    if (frame[0] != codecs::pg::reply::ready_for_query) return codecs::progress::more;
    status = static_cast<char>(frame[5]);
    return codecs::progress::done;
  }

  std::string types;
  char status = '\0';  ///< of the ReadyForQuery

 private:
  bytes messages_;
};

/// A session whose exchanges the test brings itself.
struct bare_session {
  explicit bare_session(const std::string& uri) : channel(connect(uri), &dog) {
    codecs::pg::startup_exchange startup(session);
    startup.set({.user = "postgres", .database = "postgres", .password = {}, .parameters = {}});
    EXPECT_FALSE(channel.run(startup)) << channel.why();
  }

  wire::watchdog dog{patience};
  wire::channel channel;
  codecs::pg::session session;
};

}  // namespace tests
