#include "codecs/mongo/cursor.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/codecs/mongo/op_allocations.hpp"
#include "tests/support/codec_checks.hpp"
#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

namespace codecs::mongo {
namespace {

using tests::bson;
using tests::bytes;
using tests::hex;
using tests::msg_frame;

struct collecting_sink final : document_sink {
  bool take(bytes_view document) override {
    found.push_back(tests::to_json(document));
    return found.size() < enough;
  }
  std::vector<std::string> found;
  std::size_t enough = 1000;
};

class MongoFind : public testing::Test {
 protected:
  void find(find_command command) {
    command.database = "t";
    command.collection = "c";
    sink_.found.clear();
    out_.clear();
    exchange_.set(command, sink_);
    ASSERT_EQ(exchange_.start(out_), progress::more);
  }
  progress answer(const bytes& body) {
    const auto asked = tests::id_of(tests::flatten(out_));
    out_.clear();
    return exchange_.on_frame(msg_frame(9, asked, body), out_);
  }
  progress answer(const char* json) { return answer(bson(json)); }
  std::string asked() { return tests::open_msg(tests::flatten(out_)).body; }
  void expect_failure(const char* reply, const char* field) {
    find({});
    EXPECT_EQ(answer(reply), progress::failed) << reply;
    EXPECT_EQ(exchange_.why().cause.code, errc::remote_bad_value);
    EXPECT_STREQ(exchange_.why().cause.field, field) << reply;
  }

  const bytes by_id_ = bson(R"({"_id": 1})");
  request_ids ids_;
  find_exchange exchange_{ids_};
  collecting_sink sink_;
  wire::gather_buffer out_;
};

TEST_F(MongoFind, SendsTheQuery) {
  find({.filter = by_id_, .limit = 1, .single_batch = true});
  EXPECT_EQ(tests::to_hex(tests::flatten(out_)), tests::to_hex(hex(R"(
    64000000  # messageLength 100
    01000000  # requestID 1
    00000000  # responseTo
    dd070000  # opCode 2013
    00000000  # flagBits
    00        # kind 0
    4f000000
      02 66696e6400 02000000 6300                                  # find: "c"
      03 66696c74657200 0e000000 10 5f696400 01000000 00           # filter: {_id: 1}
      12 6c696d697400 0100000000000000                             # limit: int64 1
      08 73696e676c65426174636800 01                               # singleBatch: true
      02 24646200 02000000 7400                                    # $db: "t"
      00)")));
}

TEST_F(MongoFind, DeliversTheOnlyBatch) {
  find({.filter = by_id_, .limit = 1, .single_batch = true});
  EXPECT_EQ(
      answer(R"({"cursor": {"firstBatch": [{"_id": 1}], "id": {"$numberLong": "0"}, "ns": "t.c"}, "ok": 1})"),
      progress::done);
  EXPECT_EQ(sink_.found, std::vector<std::string>{R"({ "_id" : 1 })"});
  EXPECT_EQ(exchange_.delivered(), 1u);
  EXPECT_EQ(exchange_.get_mores(), 0u);
  EXPECT_FALSE(exchange_.killed());
}

TEST_F(MongoFind, WalksTheWholeCursor) {
  find({.batch_size = 2});
  EXPECT_EQ(asked(), R"({ "find" : "c", "batchSize" : 2, "$db" : "t" })");
  // An id of a small integer type is read and sent back as int64.
  ASSERT_EQ(answer(R"({"cursor": {"id": 77, "firstBatch": [{"a": 1}, {"a": 2}]}, "ok": 1})"), progress::more);
  EXPECT_EQ(tests::to_hex(tests::flatten(out_)), tests::to_hex(hex(R"(
    57000000 02000000 00000000 dd070000 00000000 00
    42000000
      12 6765744d6f726500 4d00000000000000        # getMore: int64 77
      02 636f6c6c656374696f6e00 02000000 6300     # collection: "c"
      10 626174636853697a6500 02000000            # batchSize: 2
      02 24646200 02000000 7400
      00)")));
  ASSERT_EQ(answer(R"({"cursor": {"nextBatch": [], "id": 77.0}, "ok": 1})"), progress::more);
  ASSERT_EQ(answer(R"({"cursor": {"nextBatch": [{"a": 3}], "id": 0}, "ok": 1})"), progress::done);
  EXPECT_EQ(sink_.found.size(), 3u);
  EXPECT_EQ(exchange_.get_mores(), 2u);
  EXPECT_EQ(exchange_.take_frames_sent(), 3u);
}

// Case S04: a full batch and a cursor that lives on.
TEST_F(MongoFind, EndsACursorThatOutlivesItsLimit) {
  find({.limit = 4, .batch_size = 4});
  ASSERT_EQ(
      answer(
          R"({"cursor": {"firstBatch": [{}, {}, {}, {}], "id": {"$numberLong": "9007199254740993"}}, "ok": 1})"),
      progress::more);
  EXPECT_EQ(tests::to_hex(tests::flatten(out_)), tests::to_hex(hex(R"(
    51000000 02000000 00000000 dd070000 00000000 00
    3c000000
      02 6b696c6c437572736f727300 02000000 6300                       # killCursors: "c"
      04 637572736f727300 10000000 12 3000 0100000000002000 00        # cursors: [int64 2^53 + 1]
      02 24646200 02000000 7400
      00)")));
  ASSERT_EQ(answer(R"({"cursorsKilled": [{"$numberLong": "9007199254740993"}], "ok": 1})"), progress::done);
  EXPECT_EQ(exchange_.delivered(), 4u);
  EXPECT_EQ(exchange_.get_mores(), 0u);
  EXPECT_TRUE(exchange_.killed());
}

TEST_F(MongoFind, StopsWhenTheSinkHasEnough) {
  sink_.enough = 2;
  find({});
  ASSERT_EQ(answer(R"({"cursor": {"firstBatch": [{}, {}, {}], "id": 5}, "ok": 1})"), progress::more);
  EXPECT_EQ(sink_.found.size(), 2u);
  EXPECT_EQ(asked(), R"({ "killCursors" : "c", "cursors" : [ 5 ], "$db" : "t" })");
  EXPECT_EQ(answer(R"({"ok": 1})"), progress::done);
  // The next op starts afresh.
  sink_.enough = 1000;
  find({});
  EXPECT_FALSE(exchange_.killed());
  EXPECT_EQ(answer(R"({"cursor": {"firstBatch": [{}], "id": 0}, "ok": 1})"), progress::done);
  EXPECT_EQ(exchange_.delivered(), 1u);
}

TEST_F(MongoFind, ALostCursorIsTheServersError) {
  find({});
  ASSERT_EQ(answer(R"({"cursor": {"firstBatch": [{}], "id": 5}, "ok": 1})"), progress::more);
  EXPECT_EQ(answer(R"({"ok": 0, "code": 43, "errmsg": "cursor id 5 not found"})"), progress::failed);
  EXPECT_EQ(exchange_.why().cause.code, errc::remote_server_error);
  EXPECT_EQ(exchange_.server_code(), code::cursor_not_found);
}

TEST_F(MongoFind, NamesWhatIsWrongInACursor) {
  expect_failure(R"({"ok": 1})", "cursor");
  expect_failure(R"({"cursor": 1, "ok": 1})", "cursor");
  expect_failure(R"({"cursor": {"firstBatch": []}, "ok": 1})", "cursor.id");
  expect_failure(R"({"cursor": {"firstBatch": [], "id": "0"}, "ok": 1})", "cursor.id");
  expect_failure(R"({"cursor": {"id": 0}, "ok": 1})", "cursor batch");
  expect_failure(R"({"cursor": {"firstBatch": {}, "id": 0}, "ok": 1})", "cursor batch");
  expect_failure(R"({"cursor": {"firstBatch": [1], "id": 0}, "ok": 1})", "cursor batch");
  EXPECT_TRUE(sink_.found.empty());
}

TEST_F(MongoFind, DeliversNoDocumentWithAWrongEnd) {
  find({});
  // {cursor: {firstBatch: [<05000000 01>], id: 0}, ok: 1}: the document ends on 01.
  const auto reply = hex(R"(
    3f000000
      03 637572736f7200 2a000000
        04 6669727374426174636800 0d000000 03 3000 0500000001 00
        12 696400 0000000000000000
        00
      10 6f6b00 01000000
      00)");
  EXPECT_EQ(answer(reply), progress::failed);
  EXPECT_STREQ(exchange_.why().cause.field, "cursor batch");
  EXPECT_TRUE(sink_.found.empty());
}

TEST(MongoFindCommand, IsReadBackByThePeer) {
  find_command command;
  const auto body =
      bson(R"({"find": "c", "filter": {"_id": 1}, "limit": {"$numberLong": "4"}, "batchSize": 2.0,
                             "singleBatch": true, "$db": "t"})");
  ASSERT_FALSE(decode(body, command));
  EXPECT_EQ(command.database, "t");
  EXPECT_EQ(command.collection, "c");
  EXPECT_EQ(tests::to_json(command.filter), R"({ "_id" : 1 })");
  EXPECT_EQ(command.limit, 4);
  EXPECT_EQ(command.batch_size, 2);
  EXPECT_TRUE(command.single_batch);

  ASSERT_FALSE(decode(bson(R"({"find": "c"})"), command));
  EXPECT_EQ(command.batch_size, -1);
  EXPECT_TRUE(command.filter.empty());
  EXPECT_STREQ(decode(bson(R"({"find": 1})"), command).field, "find");
  EXPECT_STREQ(decode(bson(R"({"find": "c", "batchSize": -1})"), command).field, "batchSize");
}

struct counting_sink final : document_sink {
  bool take(bytes_view document) override {
    bytes += document.size();
    return true;
  }
  std::size_t bytes = 0;
};

TEST(MongoFindExchange, MakesNoHeapAllocationPerOp) {
  if (!tests::allocations_counted()) GTEST_SKIP() << "allocations are not counted under a sanitizer";
  request_ids ids;
  find_exchange exchange(ids);
  counting_sink sink;
  const auto filter = bson(R"({"_id": 1})");
  const auto reply = msg_frame(9, 0, bson(R"({"cursor": {"firstBatch": [{"_id": 1}], "id": 0}, "ok": 1.0})"));
  const auto set = [&] {
    exchange.set({.database = "t", .collection = "c", .filter = filter, .limit = 1}, sink);
  };
  EXPECT_EQ(tests::op_allocations(exchange, reply, set), 0u);
  EXPECT_EQ(sink.bytes, 100u * 14);
}

}  // namespace
}  // namespace codecs::mongo
