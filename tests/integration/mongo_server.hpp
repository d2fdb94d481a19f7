#pragma once
// Tests that run against every MongoDB-speaking server that nobody here wrote.

#include "wire/mongo/client.hpp"

#include "fixtures/mongo_peers.hpp"

#include "tests/integration/connection.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <ostream>
#include <string>

namespace tests {

struct mongo_server {
  std::string name;
  absl::StatusOr<fixtures::mongo_peer> (*start)();
  codecs::mongo::hello_exchange::opening greeting;
  std::string pymongo;  ///< the version that talks to it

  friend void PrintTo(const mongo_server& server, std::ostream* out) { *out << server.name; }
};

/// A server for all tests of its suite, and a connection for each. One that cannot be had here is a skip with the reason.
class MongoServer : public testing::TestWithParam<mongo_server> {
 public:
  static std::string name_of(const testing::TestParamInfo<mongo_server>& server) { return server.param.name; }

 protected:
  static void TearDownTestSuite() { servers_.clear(); }

  void SetUp() override {
    const auto& status = server().status();
    if (absl::IsNotFound(status)) GTEST_SKIP() << status.message();
    ASSERT_TRUE(status.ok()) << status;
    client_.emplace(connect(uri()), &dog_);
    ASSERT_FALSE(client_->hello(GetParam().greeting)) << client_->why();
  }

  static std::string uri() { return server().value().tcp_uri(); }

  wire::mongo::client& client() { return *client_; }

 private:
  static const absl::StatusOr<fixtures::mongo_peer>& server() {
    const auto known = servers_.find(GetParam().name);
    return known != servers_.end() ? known->second
                                   : servers_.emplace(GetParam().name, GetParam().start()).first->second;
  }

  static inline std::map<std::string, absl::StatusOr<fixtures::mongo_peer>> servers_;

  wire::watchdog dog_{patience};
  std::optional<wire::mongo::client> client_;
};

/// mongo-java-server knows no hello, and pymongo 4 refuses its wire version. WIREBENCH_FERRETDB=1 brings FerretDB.
inline auto mongo_servers() {
  using fixtures::mongo_peer;
  using opening = codecs::mongo::hello_exchange::opening;
  return testing::Values(
      mongo_server{"SecantusDb", [] { return mongo_peer::start_secantusdb(); }, opening::msg, "4.20.1"},
      mongo_server{"MongoJavaServer", &mongo_peer::start_mongo_java_server, opening::query, "3.13.0"},
      mongo_server{"FerretDb", &mongo_peer::start_ferretdb, opening::msg, "4.20.1"});
}

}  // namespace tests
