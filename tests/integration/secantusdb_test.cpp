// The raw client against SecantusDB, a MongoDB server that nobody here wrote.

#include "wire/mongo/client.hpp"

#include "fixtures/mongo_peers.hpp"

#include "tests/integration/connection.hpp"
#include "tests/integration/relay.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <limits>
#include <optional>

namespace tests {
namespace {

using codecs::bytes_view;
using codecs::errc;
using codecs::mongo::document;
using codecs::mongo::find_command;
using opening = codecs::mongo::hello_exchange::opening;

constexpr char database[] = "wirebench";

/// Takes `wanted` documents and writes down the number in `_id` of each.
class ids final : public codecs::mongo::document_sink {
 public:
  explicit ids(std::size_t wanted = std::numeric_limits<std::size_t>::max()) : wanted_(wanted) {}

  bool take(bytes_view found) override {
    const auto id = codecs::mongo::lookup(found, "_id");
    seen.push_back(id ? codecs::mongo::integer(*id).value_or(-1) : -1);
    return seen.size() < wanted_;
  }

  std::vector<std::int64_t> seen;

 private:
  std::size_t wanted_;
};

std::vector<std::int64_t> up_to(std::int64_t count) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

/// {_id: number, text: "..."} per number, and their views.
struct documents {
  explicit documents(const std::vector<std::int64_t>& numbers) {
    for (const auto number : numbers) {
      auto& made = owned.emplace_back();
      bson_append_int64(made.get(), "_id", -1, number);
      bson_append_utf8(made.get(), "text", -1, "some text", -1);
      views.push_back(made.view());
    }
  }

  std::deque<document> owned;
  std::vector<bytes_view> views;
};

/// One server for all tests; each has a connection, and a collection that is named after it.
class SecantusDb : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started = fixtures::mongo_peer::start_secantusdb();
    ASSERT_TRUE(started.ok()) << started.status();
    server_ = *std::move(started);
  }
  static void TearDownTestSuite() { server_.reset(); }

  void SetUp() override { ASSERT_FALSE(client_.hello()) << client_.why(); }

  static std::string uri() { return server_.value().tcp_uri(); }

  static std::string collection() { return testing::UnitTest::GetInstance()->current_test_info()->name(); }

  codecs::error_code insert(const std::vector<std::int64_t>& numbers, bool acknowledged = true) {
    const documents made(numbers);
    return client_.insert({.database = database,
                           .collection = collection(),
                           .documents = made.views,
                           .acknowledged = acknowledged});
  }

  codecs::error_code find(find_command command, codecs::mongo::document_sink& sink) {
    const auto name = collection();
    command.database = database;
    command.collection = name;
    return client_.find(command, sink);
  }

  codecs::error_code ping() {
    document command;
    codecs::mongo::build_ping(command);
    return client_.command("admin", command.view());
  }

  /// Frames sent since the last call.
  std::uint64_t frames_out() {
    const auto now = client_.channel().counters().frames_out;
    return now - std::exchange(frames_before_, now);
  }

  static inline std::optional<fixtures::mongo_peer> server_;

  wire::watchdog dog_{patience};
  wire::mongo::client client_{connect(uri()), &dog_};
  std::uint64_t frames_before_ = 0;
};

TEST_F(SecantusDb, GreetsInOpMsg) {
  const auto& server = client_.server();
  EXPECT_EQ(server.min_wire_version, 0);
  EXPECT_EQ(server.max_wire_version, 27);
  EXPECT_EQ(server.limits.document_bytes, 16 * 1024 * 1024);
  EXPECT_EQ(server.limits.message_bytes, 48'000'000);
  EXPECT_EQ(server.limits.write_batch, 100'000);
  EXPECT_EQ(frames_out(), 1u);
}

TEST_F(SecantusDb, GreetsInOpQueryAndGoesOnInOpMsg) {
  wire::mongo::client client(connect(uri()), &dog_);
  ASSERT_FALSE(client.hello(opening::query)) << client.why();
  EXPECT_EQ(client.server().max_wire_version, client_.server().max_wire_version);
  EXPECT_TRUE(client.server().hello_ok);
  document command;
  codecs::mongo::build_ping(command);
  EXPECT_FALSE(client.command("admin", command.view())) << client.why();
}

TEST_F(SecantusDb, AnswersAPing) {
  const auto before = client_.channel().counters();
  ASSERT_FALSE(ping()) << client_.why();
  EXPECT_TRUE(client_.reply().ok);
  EXPECT_EQ(client_.channel().counters().bytes_out - before.bytes_out, 51u);
  EXPECT_EQ(client_.channel().counters().frames_in - before.frames_in, 1u);
}

TEST_F(SecantusDb, FindsTheDocumentThatWasInserted) {
  ASSERT_FALSE(insert({5})) << client_.why();
  EXPECT_EQ(client_.inserted().written, 1);
  ASSERT_FALSE(insert({6})) << client_.why();
  document filter;
  bson_append_int64(filter.get(), "_id", -1, 5);
  ids found;
  ASSERT_FALSE(find({.filter = filter.view(), .limit = 1, .single_batch = true}, found)) << client_.why();
  EXPECT_EQ(found.seen, std::vector<std::int64_t>{5});
}

TEST_F(SecantusDb, WalksACursorToItsEnd) {
  ASSERT_FALSE(insert(up_to(1000))) << client_.why();
  EXPECT_EQ(client_.inserted().written, 1000);
  EXPECT_EQ(frames_out(), 2u);  // hello, and one insert for all
  ids found;
  ASSERT_FALSE(find({.batch_size = 100}, found)) << client_.why();
  EXPECT_EQ(found.seen, up_to(1000));
  EXPECT_EQ(frames_out(), 11u);  // the last of ten getMore brings nothing
}

TEST_F(SecantusDb, KillsACursorThatNobodyWantsToWalk) {
  ASSERT_FALSE(insert(up_to(50))) << client_.why();
  frames_out();
  ids found(5);
  ASSERT_FALSE(find({.batch_size = 10}, found)) << client_.why();
  EXPECT_EQ(found.seen, up_to(5));
  EXPECT_EQ(frames_out(), 2u);  // find, killCursors
  EXPECT_FALSE(ping()) << client_.why();
}

// Case S04. SecantusDB closes the cursor at its limit by itself; for servers that do not, see cursor_test.
TEST_F(SecantusDb, EndsACursorAtItsLimit) {
  ASSERT_FALSE(insert(up_to(4))) << client_.why();
  frames_out();
  ids found;
  ASSERT_FALSE(find({.limit = 4, .batch_size = 4}, found)) << client_.why();
  EXPECT_EQ(found.seen, up_to(4));
  EXPECT_EQ(frames_out(), 1u);
  EXPECT_FALSE(ping()) << client_.why();
}

// Case C09 as a live server answers it.
TEST_F(SecantusDb, TellsWrittenFromFailedAndUnattempted) {
  EXPECT_EQ(insert({1, 1, 2}), errc::remote_server_error);
  EXPECT_EQ(client_.inserted().written, 1);
  EXPECT_EQ(client_.inserted().failed, 1);
  EXPECT_EQ(client_.inserted().unattempted, 1);
  EXPECT_NE(client_.why().find("E11000"), std::string::npos) << client_.why();
  ids found;
  ASSERT_FALSE(find({}, found)) << client_.why();
  EXPECT_EQ(found.seen, std::vector<std::int64_t>{1});
}

// Case C05: the reply to the ping is the only one.
TEST_F(SecantusDb, DoesNotAnswerAnUnacknowledgedInsert) {
  const auto before = client_.channel().counters();
  ASSERT_FALSE(insert({1}, false)) << client_.why();
  ASSERT_FALSE(ping()) << client_.why();
  EXPECT_EQ(client_.channel().counters().frames_out - before.frames_out, 2u);
  EXPECT_EQ(client_.channel().counters().frames_in - before.frames_in, 1u);
  ids found;
  ASSERT_FALSE(find({}, found)) << client_.why();
  EXPECT_EQ(found.seen, std::vector<std::int64_t>{1});
}

TEST_F(SecantusDb, GoesOnAfterAnUnknownCommand) {
  document command;
  bson_append_int32(command.get(), "noSuchCommand", -1, 1);
  EXPECT_EQ(client_.command("admin", command.view()), errc::remote_server_error);
  EXPECT_NE(client_.why().find("noSuchCommand"), std::string::npos) << client_.why();
  EXPECT_FALSE(ping()) << client_.why();
}

/// hello, ping and a find over several batches, and all that they saw.
std::string session_of(wire::mongo::client& client, const std::string& collection) {
  ids found;
  std::string seen;
  const auto note = [&](codecs::error_code error) { seen += error ? client.why() : "ok "; };
  document command;
  codecs::mongo::build_ping(command);
  note(client.hello());
  note(client.command("admin", command.view()));
  note(client.find({.database = database, .collection = collection, .batch_size = 3}, found));
  for (const auto id : found.seen) seen += fmt::format("{} ", id);
  return fmt::format("{}{} frames", seen, client.channel().counters().frames_in);
}

class MongoSegments : public SecantusDb, public testing::WithParamInterface<std::size_t> {};

// Case C19: after every byte, behind the length, around the end of the header.
TEST_P(MongoSegments, ChangeNothing) {
  const auto name = fmt::format("segments{}", GetParam());
  const documents made(up_to(10));
  ASSERT_FALSE(client_.insert({.database = database, .collection = name, .documents = made.views}))
      << client_.why();

  wire::mongo::client direct(connect(uri()), &dog_);
  EXPECT_EQ(session_of(direct, name), "ok ok ok 0 1 2 3 4 5 6 7 8 9 6 frames");

  relay cutting(uri(), GetParam());
  wire::mongo::client cut(cutting.take_client(), &dog_);
  EXPECT_EQ(session_of(cut, name), "ok ok ok 0 1 2 3 4 5 6 7 8 9 6 frames");
  EXPECT_GE(cut.channel().counters().reads * GetParam(), cut.channel().counters().bytes_in);
}

INSTANTIATE_TEST_SUITE_P(SecantusDb, MongoSegments, testing::Values(1, 4, 15, 16, 17));

}  // namespace
}  // namespace tests
