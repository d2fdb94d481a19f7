// What servers tell of their own time: a real PostgreSQL by its log, and counters as MongoDB keeps them.

#include "bench/server_time.hpp"

#include "codecs/mongo/conversation.hpp"

#include "wire/channel.hpp"

#include "bench/ladder.hpp"

#include "fixtures/process.hpp"

#include "tests/integration/postgresql.hpp"

#include <fmt/format.h>

namespace tests {
namespace {

using bench::find_op;

/// What a server tells of one round of `ops`.
std::optional<std::int64_t> told_in_round(bench::workload& work, std::uint64_t ops) {
  EXPECT_TRUE(work.before().ok());
  EXPECT_TRUE(work.run(ops).ok());
  EXPECT_TRUE(work.after().ok());
  return work.server_told_ns();
}

using PostgreSqlTime = PostgreSql;

TEST_F(PostgreSqlTime, IsToldForEveryOp) {
  for (const auto* name : {"select1", "select_param", "insert_row", "lowrite_256k"}) {
    const auto& what = *find_op(name);
    const auto status = bench::check_told(what, uri(), dog_);
    if (what.needs_data) {
      EXPECT_FALSE(status.ok()) << name;  // there is no table yet
      ASSERT_FALSE(client_.query("CREATE TABLE wirebench_rows (data bytea)"));
    } else {
      EXPECT_TRUE(status.ok()) << name << ": " << status;
    }
    auto work = bench::open_told(what, endpoint_of(uri()), dog_);
    ASSERT_TRUE(work.ok()) << name << ": " << work.status();
    for (int round = 0; round < 2; ++round) {
      const auto began = std::chrono::steady_clock::now();
      const auto told = told_in_round(**work, 20);
      const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
      ASSERT_TRUE(told) << name;
      EXPECT_GT(*told, 0) << name;
      EXPECT_LT(*told, took.count()) << name;
    }
  }
}

TEST_F(PostgreSqlTime, TakesASuperuser) {
  ASSERT_FALSE(client_.query("CREATE ROLE plain LOGIN"));
  auto plain = uri();
  plain.replace(plain.find("postgres@"), 8, "plain");
  const auto status = bench::check_told(*find_op("select1"), plain, dog_);
  EXPECT_NE(std::string(status.message()).find("permission denied"), std::string::npos) << status;
}

TEST_F(PostgreSqlTime, ServerIsKnownByNameAndVersion) {
  const auto told = bench::identify_server(endpoint_of(uri()), patience);
  EXPECT_EQ(told.product, cluster_->name());
  EXPECT_FALSE(told.pid);
}

// --- MongoDB ---

/// Keeps opLatencies as MongoDB does, of one class alone: counted when a command is over, serverStatus itself among the commands.
/// Every command takes 10 us.
struct kept_counters {
  std::atomic<std::int64_t> command_us{0}, commands{0};
};

class server_with_counters final : public codecs::mongo::conversation {
 public:
  explicit server_with_counters(kept_counters& kept) : kept_(kept) {}

 private:
  codecs::bytes_view answer_command(const codecs::mongo::request& request,
                                    codecs::mongo::document& reply) override {
    if (request.name == "hello") bson_append_int32(reply.get(), "maxWireVersion", -1, 21);
    if (request.name == "serverStatus") append_latencies(reply);
    if (request.name == "buildInfo") bson_append_utf8(reply.get(), "version", -1, "7.0.5", -1);
    bson_append_double(reply.get(), "ok", -1, 1);
    kept_.command_us += 10;
    ++kept_.commands;
    return reply.view();
  }

  void append_latencies(codecs::mongo::document& reply) const {
    bson_t all, one;
    bson_append_int64(reply.get(), "pid", -1, 4711);
    bson_append_document_begin(reply.get(), "opLatencies", -1, &all);
    bson_append_document_begin(&all, "commands", -1, &one);
    bson_append_int64(&one, "latency", -1, kept_.command_us);
    bson_append_int64(&one, "ops", -1, kept_.commands);
    bson_append_document_end(&all, &one);
    bson_append_document_end(reply.get(), &all);
  }

  kept_counters& kept_;
};

fixtures::process start_server_with_counters() {
  auto started = fixtures::process::start(std::nullopt, [](int fd, fixtures::shared_counters&) {
    static kept_counters kept;  // of the peer's process
    server_with_counters peer(kept);
    wire::channel(wire::make_socket_transport(fd)).serve(peer);
  });
  if (!started.ok()) throw std::runtime_error(std::string(started.status().message()));
  return *std::move(started);
}

std::string uri_of(const fixtures::process& server) {
  return fmt::format("mongodb://127.0.0.1:{}/", server.tcp_port());
}

TEST(MongoTime, IsWhatTheCountersGrewByWithoutTheAsking) {
  const auto server = start_server_with_counters();
  wire::watchdog dog{patience};
  const auto& ping = *find_op("ping");
  const auto status = bench::check_told(ping, uri_of(server), dog);
  EXPECT_TRUE(status.ok()) << status;
  auto work = bench::open_told(ping, endpoint_of(uri_of(server)), dog);
  ASSERT_TRUE(work.ok()) << work.status();
  EXPECT_EQ(told_in_round(**work, 7), 70'000);
  EXPECT_EQ(told_in_round(**work, 100), 1'000'000);
}

TEST(MongoTime, IsNotToldWhileOthersUseTheServer) {
  const auto server = start_server_with_counters();
  wire::watchdog dog{patience};
  auto work = bench::open_told(*find_op("ping"), endpoint_of(uri_of(server)), dog);
  auto other = bench::open_told(*find_op("ping"), endpoint_of(uri_of(server)), dog);
  ASSERT_TRUE(work.ok() && other.ok());
  ASSERT_TRUE((*work)->before().ok());
  ASSERT_TRUE((*work)->run(5).ok());
  ASSERT_TRUE((*other)->run(1).ok());
  ASSERT_TRUE((*work)->after().ok());
  EXPECT_FALSE((*work)->server_told_ns());
  EXPECT_EQ(told_in_round(**work, 5), 50'000);
}

TEST(MongoTime, IsNotToldByAServerWithoutThatClass) {
  const auto server = start_server_with_counters();
  wire::watchdog dog{patience};
  const auto status = bench::check_told(*find_op("insert_one"), uri_of(server), dog);
  EXPECT_NE(std::string(status.message()).find("opLatencies"), std::string::npos) << status;
}

TEST(MongoTime, ServerIsKnownByVersionAndProcess) {
  const auto server = start_server_with_counters();
  const auto told = bench::identify_server(endpoint_of(uri_of(server)), patience);
  EXPECT_EQ(told.product, "MongoDB 7.0.5");
  EXPECT_EQ(told.pid, 4711);
}

TEST(Identity, IsEmptyWhereNobodyAnswers) {
  const auto told = bench::identify_server(endpoint_of("mongodb://127.0.0.1:1/"), std::chrono::seconds(1));
  EXPECT_EQ(told.product, "");
  EXPECT_FALSE(told.pid);
}

}  // namespace
}  // namespace tests
