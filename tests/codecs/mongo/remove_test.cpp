#include "codecs/mongo/remove.hpp"

#include "tests/codecs/mongo/write_fixture.hpp"

namespace codecs::mongo {
namespace {

using tests::bson;
using tests::bytes;
using tests::hex;

// Every document of t.c with _id 1.
const bytes delete_frame = hex(R"(
  6b000000  # messageLength 107
  01000000  # requestID 1
  00000000  # responseTo
  dd070000  # opCode 2013
  00000000  # flagBits
  00        # kind 0
  28000000
    02 64656c65746500 02000000 6300   # delete: "c"
    08 6f72646572656400 01            # ordered: true
    02 24646200 02000000 7400         # $db: "t"
    00
  01        # kind 1
  2d000000 64656c6574657300           # size 45, "deletes"
    21000000
      03 7100 0e000000 10 5f696400 01000000 00   # q: {_id: 1}
      10 6c696d697400 00000000                   # limit: 0
      00)");

const bytes reply_frame = hex(R"(
  2d000000 09000000 01000000 dd070000 00000000 00
  18000000 10 6e00 03000000 01 6f6b00 000000000000f03f 00)");

class MongoRemove : public write_fixture<remove_exchange> {
 protected:
  MongoRemove() : write_fixture(R"({"q": {"_id": 1}, "limit": 1})") {}

  void expect_result(std::int64_t removed, std::int64_t failed, std::int64_t unattempted) {
    EXPECT_EQ(exchange_.result().removed, removed);
    EXPECT_EQ(exchange_.result().failed, failed);
    EXPECT_EQ(exchange_.result().unattempted, unattempted);
  }

  const bytes filter_ = bson(R"({"_id": 1})");
};

TEST_F(MongoRemove, RequestPassesTheFiveChecks) {
  check_request(delete_frame, remove_statement{.filter = filter_, .many = true}, "deletes",
                R"({ "delete" : "c", "ordered" : true, "$db" : "t" })", [](const remove_statement& read) {
                  EXPECT_EQ(tests::to_json(read.filter), R"({ "_id" : 1 })");
                  EXPECT_TRUE(read.many);
                });
}

// The reply has no field of its own: {n, ok} is what every command's reply may hold.
TEST_F(MongoRemove, ReplyPassesTheFiveChecks) {
  const auto body = bson(R"({"n": 3, "ok": 1.0})");
  tests::check_codec(
      tests::msg_codec(
          [&](send_buffer& out) { return encode(out, {.request_id = 9, .response_to = 1, .body = body}); },
          [](const op_msg& message) {
            command_reply read;
            const fault bad = decode(message.body, read);
            EXPECT_EQ(read.n, 3);
            EXPECT_TRUE(read.ok);
            return bad;
          }),
      reply_frame);
}

TEST_F(MongoRemove, OneOrManyIsTheLimit) {
  document built;
  build(built, {.filter = filter_});
  EXPECT_EQ(tests::to_json(built.view()), R"({ "q" : { "_id" : 1 }, "limit" : 1 })");
  remove_statement read;
  ASSERT_FALSE(decode(built.view(), read));
  EXPECT_FALSE(read.many);
}

TEST_F(MongoRemove, RefusesStatementsThatServersRefuse) {
  expect_bad<remove_statement>(R"({"limit": 1})", "q");
  expect_bad<remove_statement>(R"({"q": [], "limit": 1})", "q");
  expect_bad<remove_statement>(R"({"q": {}})", "limit");
  expect_bad<remove_statement>(R"({"q": {}, "limit": 2})", "limit");
  expect_bad<remove_statement>(R"({"q": {}, "limit": "1"})", "limit");
}

TEST_F(MongoRemove, TellsHowManyAreGone) {
  ASSERT_EQ(send(1), progress::more);
  EXPECT_EQ(exchange_.on_frame(reply_frame, out_), progress::done);
  expect_result(3, 0, 0);
  ASSERT_EQ(send(1), progress::more);
  EXPECT_EQ(answer(R"({"ok": 1})"), progress::failed);
  EXPECT_STREQ(exchange_.why().cause.field, "n");
}

// Case C09 for deletes: three statements, the first of which failed.
TEST_F(MongoRemove, OkWithWriteErrorsIsNoSuccess) {
  ASSERT_EQ(send(3), progress::more);
  EXPECT_EQ(answer(R"({"n": 0, "writeErrors": [{"index": 0, "code": 20, "errmsg": "no"}], "ok": 1})"),
            progress::failed);
  EXPECT_EQ(exchange_.why().cause.code, errc::remote_server_error);
  EXPECT_STREQ(exchange_.why().cause.field, "writeErrors");
  expect_result(0, 1, 2);
}

TEST_F(MongoRemove, ARefusedCommandTookNothing) {
  ASSERT_EQ(send(2), progress::more);
  EXPECT_EQ(answer(R"({"ok": 0, "code": 13, "errmsg": "requires authentication"})"), progress::failed);
  expect_result(0, 0, 2);
}

// Case C05, client side: done when written, because nobody will answer.
TEST_F(MongoRemove, UnacknowledgedIsDoneAtOnce) {
  ASSERT_EQ(send(1, false), progress::done);
  const auto sent = tests::flatten(out_);
  EXPECT_EQ(sent.size(), delete_frame.size() + 26);  // writeConcern: {w: 0}
  op_msg message;
  ASSERT_FALSE(decode(sent, message));
  EXPECT_EQ(message.flags, flag::more_to_come);
}

TEST_F(MongoRemove, SendsNoMoreThanTheServerTakes) {
  limits_.message_bytes = 107;  // the literal above
  EXPECT_EQ(send(1), progress::more);
  EXPECT_EQ(out_.size(), 107u);
  limits_.message_bytes = 106;
  EXPECT_EQ(send(1), progress::failed);
  expect_too_long("maxMessageSizeBytes");
}

}  // namespace
}  // namespace codecs::mongo
