#include "codecs/mongo/update.hpp"

#include "tests/codecs/mongo/op_allocations.hpp"
#include "tests/codecs/mongo/write_fixture.hpp"

namespace codecs::mongo {
namespace {

using tests::bson;
using tests::bytes;
using tests::hex;
using tests::msg_frame;

// {q: {_id: 1}, u: {$set: {a: 2}}} to one document of t.c.
const bytes update_frame = hex(R"(
  7a000000  # messageLength 122
  01000000  # requestID 1
  00000000  # responseTo
  dd070000  # opCode 2013
  00000000  # flagBits
  00        # kind 0
  28000000
    02 75706461746500 02000000 6300   # update: "c"
    08 6f72646572656400 01            # ordered: true
    02 24646200 02000000 7400         # $db: "t"
    00
  01        # kind 1
  3c000000 7570646174657300           # size 60, "updates"
    30000000
      03 7100 0e000000 10 5f696400 01000000 00   # q: {_id: 1}
      03 7500 17000000                           # u: {$set: {a: 2}}
        03 2473657400 0c000000 10 6100 02000000 00
        00
      00)");

// n: 2, nModified: 1, and one document that was not there before.
const bytes reply_frame = hex(R"(
  67000000 09000000 01000000 dd070000 00000000 00
  52000000
    10 6e00 02000000                                   # n: 2
    10 6e4d6f64696669656400 01000000                   # nModified: 1
    04 757073657274656400 21000000                     # upserted
      03 3000 19000000
        10 696e64657800 01000000                       # index: 1
        10 5f696400 07000000                           # _id: 7
        00
      00
    01 6f6b00 000000000000f03f                         # ok: 1.0
    00)");

class MongoUpdate : public write_fixture<update_exchange> {
 protected:
  MongoUpdate() : write_fixture(R"({"q": {"_id": 1}, "u": {"$set": {"a": 2}}})") {}

  void expect_result(std::int64_t matched, std::int64_t modified, std::int64_t failed,
                     std::int64_t unattempted) {
    EXPECT_EQ(exchange_.result().matched, matched);
    EXPECT_EQ(exchange_.result().modified, modified);
    EXPECT_EQ(exchange_.result().failed, failed);
    EXPECT_EQ(exchange_.result().unattempted, unattempted);
  }

  const bytes filter_ = bson(R"({"_id": 1})");
  const bytes change_ = bson(R"({"$set": {"a": 2}})");
};

TEST_F(MongoUpdate, RequestPassesTheFiveChecks) {
  check_request(update_frame, update_statement{.filter = filter_, .change = change_}, "updates",
                R"({ "update" : "c", "ordered" : true, "$db" : "t" })", [](const update_statement& read) {
                  EXPECT_EQ(tests::to_json(read.filter), R"({ "_id" : 1 })");
                  EXPECT_EQ(tests::to_json(read.change), R"({ "$set" : { "a" : 2 } })");
                  EXPECT_FALSE(read.pipeline);
                  EXPECT_FALSE(read.multi);
                  EXPECT_FALSE(read.upsert);
                });
}

TEST_F(MongoUpdate, ReplyPassesTheFiveChecks) {
  document body;
  const auto upserted = hex("21000000 03 3000 19000000 10 696e64657800 01000000 10 5f696400 07000000 00 00");
  tests::check_codec(tests::msg_codec(
                         [&](send_buffer& out) {
                           build(body, update_reply{.n = 2, .modified = 1, .upserted = upserted});
                           return encode(out, {.request_id = 9, .response_to = 1, .body = body.view()});
                         },
                         [&](const op_msg& message) {
                           update_reply read;
                           const fault bad = decode(message.body, read);
                           EXPECT_EQ(read.n, 2);
                           EXPECT_EQ(read.modified, 1);
                           EXPECT_EQ(tests::to_hex(read.upserted), tests::to_hex(upserted));
                           return bad;
                         }),
                     reply_frame);
}

TEST_F(MongoUpdate, StatementsSayWhatDiffersFromTheServersDefaults) {
  document built;
  build(built, {.filter = filter_, .change = change_, .multi = true, .upsert = true});
  EXPECT_EQ(tests::to_hex(built.view()), tests::to_hex(hex(R"(
    41000000
      03 7100 0e000000 10 5f696400 01000000 00
      03 7500 17000000 03 2473657400 0c000000 10 6100 02000000 00 00
      08 6d756c746900 01        # multi: true
      08 75707365727400 01      # upsert: true
      00)")));
  update_statement read;
  ASSERT_FALSE(decode(built.view(), read));
  EXPECT_TRUE(read.multi);
  EXPECT_TRUE(read.upsert);
}

TEST_F(MongoUpdate, AChangeMayBeAPipeline) {
  const auto stages = bson(R"({"0": {"$set": {"a": 2}}})");
  document built;
  build(built, {.filter = filter_, .change = stages, .pipeline = true});
  EXPECT_EQ(tests::to_json(built.view()), R"({ "q" : { "_id" : 1 }, "u" : [ { "$set" : { "a" : 2 } } ] })");
  update_statement read;
  ASSERT_FALSE(decode(built.view(), read));
  EXPECT_TRUE(read.pipeline);
  EXPECT_EQ(tests::to_hex(read.change), tests::to_hex(stages));
}

TEST_F(MongoUpdate, RefusesStatementsWithoutTheirDocuments) {
  expect_bad<update_statement>(R"({"u": {}})", "q");
  expect_bad<update_statement>(R"({"q": 1, "u": {}})", "q");
  expect_bad<update_statement>(R"({"q": {}})", "u");
  expect_bad<update_statement>(R"({"q": {}, "u": 1})", "u");
}

TEST_F(MongoUpdate, TellsMatchedModifiedAndUpserted) {
  ASSERT_EQ(send(2), progress::more);
  EXPECT_EQ(exchange_.on_frame(reply_frame, out_), progress::done);
  expect_result(1, 1, 0, 0);
  EXPECT_EQ(exchange_.result().upserted, 1);
  ASSERT_EQ(send(3), progress::more);
  EXPECT_EQ(answer(R"({"n": {"$numberLong": "2"}, "nModified": 0.0, "ok": 1})"), progress::done);
  expect_result(2, 0, 0, 0);
  EXPECT_EQ(exchange_.result().upserted, 0);
}

TEST_F(MongoUpdate, RefusesRepliesWithoutTheirCounts) {
  const struct {
    const char* reply;
    const char* field;
  } cases[] = {{R"({"ok": 1})", "n"},
               {R"({"n": "1", "ok": 1})", "n"},
               {R"({"n": -1, "ok": 1})", "n"},
               {R"({"n": 1, "nModified": -1, "ok": 1})", "nModified"},
               {R"({"n": 1, "upserted": 1, "ok": 1})", "upserted"}};
  for (const auto& each : cases) {
    ASSERT_EQ(send(1), progress::more);
    EXPECT_EQ(answer(each.reply), progress::failed) << each.reply;
    EXPECT_EQ(exchange_.why().cause.code, errc::remote_bad_value) << each.reply;
    EXPECT_STREQ(exchange_.why().cause.field, each.field) << each.reply;
  }
}

// Case C09 for updates: four statements, the second of which failed.
TEST_F(MongoUpdate, OkWithWriteErrorsIsNoSuccess) {
  ASSERT_EQ(send(4), progress::more);
  EXPECT_EQ(answer(R"({"n": 1, "nModified": 1, "ok": 1,
                       "writeErrors": [{"index": 1, "code": 28, "errmsg": "no such field"}]})"),
            progress::failed);
  EXPECT_EQ(exchange_.why().cause.code, errc::remote_server_error);
  EXPECT_STREQ(exchange_.why().cause.field, "writeErrors");
  EXPECT_EQ(exchange_.server_code(), 28);
  expect_result(1, 1, 1, 2);
}

TEST_F(MongoUpdate, AnIndexBeyondTheStatementsCountsNobody) {
  for (const char* index : {"-7", "4", "1e300", "\"x\""}) {
    ASSERT_EQ(send(4), progress::more);
    const auto reply =
        std::string(R"({"n": 0, "ok": 1, "writeErrors": [{"code": 28, "index": )") + index + "}]}";
    EXPECT_EQ(answer(reply.c_str()), progress::failed) << index;
    EXPECT_GE(exchange_.result().unattempted, 0) << index;
    EXPECT_LE(exchange_.result().unattempted, 3) << index;
  }
}

TEST_F(MongoUpdate, WriteConcernErrorIsCountedApart) {
  ASSERT_EQ(send(1), progress::more);
  EXPECT_EQ(
      answer(R"({"n": 1, "nModified": 1, "writeConcernError": {"code": 64, "errmsg": "late"}, "ok": 1})"),
      progress::failed);
  EXPECT_STREQ(exchange_.why().cause.field, "writeConcernError");
  EXPECT_TRUE(exchange_.result().write_concern_failed);
  expect_result(1, 1, 0, 0);
}

TEST_F(MongoUpdate, ARefusedCommandChangedNothing) {
  ASSERT_EQ(send(2), progress::more);
  EXPECT_EQ(answer(R"({"ok": 0, "code": 13, "errmsg": "requires authentication"})"), progress::failed);
  EXPECT_EQ(exchange_.server_code(), 13);
  expect_result(0, 0, 0, 2);
}

// Case C05, client side: done when written, because nobody will answer.
TEST_F(MongoUpdate, UnacknowledgedIsDoneAtOnce) {
  ASSERT_EQ(send(1, false), progress::done);
  const auto sent = tests::flatten(out_);
  EXPECT_EQ(sent.size(), update_frame.size() + 26);  // writeConcern: {w: 0}
  op_msg message;
  ASSERT_FALSE(decode(sent, message));
  EXPECT_EQ(message.flags, flag::more_to_come);
  EXPECT_EQ(tests::to_json(message.body),
            R"({ "update" : "c", "ordered" : true, "writeConcern" : { "w" : 0 }, "$db" : "t" })");
  EXPECT_EQ(exchange_.take_frames_sent(), 1u);
}

TEST_F(MongoUpdate, SendsNoMoreThanTheServerTakes) {
  limits_.write_batch = 3;
  EXPECT_EQ(send(3), progress::more);
  EXPECT_EQ(send(4), progress::failed);
  expect_too_long("maxWriteBatchSize");
  limits_.message_bytes = 122;  // the literal above
  EXPECT_EQ(send(1), progress::more);
  EXPECT_EQ(out_.size(), 122u);
  limits_.message_bytes = 121;
  EXPECT_EQ(send(1), progress::failed);
  expect_too_long("maxMessageSizeBytes");
  EXPECT_EQ(send(0), progress::failed);
  EXPECT_EQ(exchange_.why().cause.code, errc::local_bad_value);
}

// A document of the largest size fits although its statement is larger.
TEST_F(MongoUpdate, AStatementMayBeSomewhatLargerThanADocument) {
  limits_.document_bytes = 1;
  EXPECT_EQ(send(1), progress::more);
  const bytes large = bson((R"({"q": {}, "u": {"a": ")" + std::string(16 * 1024, 'x') + R"("}})").c_str());
  const bytes_view statements[] = {large};
  EXPECT_EQ(send(statements), progress::failed);
  expect_too_long("maxBsonObjectSize");
}

TEST_F(MongoUpdate, MakesNoHeapAllocationPerOp) {
  if (!tests::allocations_counted()) GTEST_SKIP() << "allocations are not counted under a sanitizer";
  const auto reply = msg_frame(9, 0, bson(R"({"n": 1, "nModified": 1, "ok": 1.0})"));
  const bytes_view statements[] = {one_};
  EXPECT_EQ(tests::op_allocations(exchange_, reply, [&] { exchange_.set({"t", "c", statements}); }), 0u);
}

}  // namespace
}  // namespace codecs::mongo
