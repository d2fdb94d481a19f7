#include "codecs/mongo/insert.hpp"

#include "tests/codecs/mongo/op_allocations.hpp"
#include "tests/codecs/mongo/write_fixture.hpp"

namespace codecs::mongo {
namespace {

using tests::bson;
using tests::bytes;
using tests::hex;
using tests::msg_frame;

class MongoInsert : public write_fixture<insert_exchange> {
 protected:
  MongoInsert() : write_fixture(R"({"_id": 1})") {}

  void expect_result(std::int64_t written, std::int64_t failed, std::int64_t unattempted) {
    EXPECT_EQ(exchange_.result().written, written);
    EXPECT_EQ(exchange_.result().failed, failed);
    EXPECT_EQ(exchange_.result().unattempted, unattempted);
  }
};

TEST_F(MongoInsert, SendsTheDocumentsAsASequence) {
  ASSERT_EQ(send(2), progress::more);
  EXPECT_EQ(tests::to_hex(tests::flatten(out_)), tests::to_hex(hex(R"(
    68000000  # messageLength 104
    01000000  # requestID 1
    00000000  # responseTo
    dd070000  # opCode 2013
    00000000  # flagBits
    00        # kind 0
    28000000
      02 696e7365727400 02000000 6300   # insert: "c"
      08 6f72646572656400 01            # ordered: true
      02 24646200 02000000 7400         # $db: "t"
      00
    01        # kind 1
    2a000000 646f63756d656e747300       # size 42, "documents"
      0e000000 10 5f696400 01000000 00
      0e000000 10 5f696400 01000000 00)")));
  EXPECT_EQ(answer(R"({"n": 2, "ok": 1.0})"), progress::done);
  expect_result(2, 0, 0);
}

// Case C05, client side: done when written, because nobody will answer.
TEST_F(MongoInsert, UnacknowledgedIsDoneAtOnce) {
  ASSERT_EQ(send(1, false), progress::done);
  EXPECT_EQ(tests::to_hex(tests::flatten(out_)), tests::to_hex(hex(R"(
    74000000  # messageLength 116
    01000000 00000000 dd070000
    02000000  # flagBits: moreToCome
    00        # kind 0
    42000000
      02 696e7365727400 02000000 6300
      08 6f72646572656400 01
      03 7772697465436f6e6365726e00 0c000000 10 7700 00000000 00   # writeConcern: {w: 0}
      02 24646200 02000000 7400
      00
    01        # kind 1
    1c000000 646f63756d656e747300
      0e000000 10 5f696400 01000000 00)")));
  EXPECT_EQ(exchange_.take_frames_sent(), 1u);
}

// Case C09: the canned reply to [{_id:1},{_id:2},{_id:2}].
TEST_F(MongoInsert, OkWithWriteErrorsIsNoSuccess) {
  ASSERT_EQ(send(3), progress::more);
  const auto reply = hex(R"(
    73000000 09000000 01000000 dd070000 00000000 00
    5e000000
      10 6e00 01000000                                     # n: 1
      04 77726974654572726f727300 39000000                 # writeErrors
        03 3000 31000000
          10 696e64657800 01000000                         # index: 1
          10 636f646500 f82a0000                           # code: 11000
          02 6572726d736700 0b000000 45313130303020647570 00   # errmsg: "E11000 dup"
          00
        00
      01 6f6b00 000000000000f03f                           # ok: 1.0
      00)");
  EXPECT_EQ(exchange_.on_frame(reply, out_), progress::failed);
  EXPECT_EQ(exchange_.why().cause.code, errc::remote_server_error);
  EXPECT_STREQ(exchange_.why().cause.field, "writeErrors");
  EXPECT_EQ(exchange_.why().text, "E11000 dup (code 11000)");
  EXPECT_EQ(exchange_.server_code(), 11000);
  expect_result(1, 1, 1);
}

TEST_F(MongoInsert, WriteConcernErrorIsCountedApart) {
  ASSERT_EQ(send(1), progress::more);
  EXPECT_EQ(answer(R"({"n": 1, "writeConcernError": {"code": 64, "errmsg": "timed out"}, "ok": 1})"),
            progress::failed);
  EXPECT_STREQ(exchange_.why().cause.field, "writeConcernError");
  EXPECT_TRUE(exchange_.result().write_concern_failed);
  expect_result(1, 0, 0);
}

TEST_F(MongoInsert, ARefusedCommandWroteNothing) {
  ASSERT_EQ(send(2), progress::more);
  EXPECT_EQ(answer(R"({"ok": 0, "code": 13, "errmsg": "requires authentication"})"), progress::failed);
  EXPECT_EQ(exchange_.server_code(), 13);
  expect_result(0, 0, 2);
  ASSERT_EQ(send(1), progress::more);
  EXPECT_EQ(exchange_.server_code(), 0) << "the code of an earlier op";
}

// A server that acknowledges another number than was sent did other work. (One driver sends the rest again.)
TEST_F(MongoInsert, RefusesAnotherNumberOfDocuments) {
  for (const char* reply : {R"({"n": 1, "ok": 1})", R"({"n": 3, "ok": 1})", R"({"ok": 1})"}) {
    ASSERT_EQ(send(2), progress::more);
    EXPECT_EQ(answer(reply), progress::failed) << reply;
    EXPECT_EQ(exchange_.why().cause.code, errc::remote_bad_value);
    EXPECT_STREQ(exchange_.why().cause.field, "n");
  }
}

TEST_F(MongoInsert, SendsNoMoreDocumentsThanTheServerTakes) {
  limits_.write_batch = 3;
  EXPECT_EQ(send(3), progress::more);
  EXPECT_EQ(send(4), progress::failed);
  expect_too_long("maxWriteBatchSize");
}

TEST_F(MongoInsert, SendsNoLargerDocumentThanTheServerTakes) {
  limits_.document_bytes = 14;
  EXPECT_EQ(send(1), progress::more);
  limits_.document_bytes = 13;
  EXPECT_EQ(send(1), progress::failed);
  expect_too_long("maxBsonObjectSize");
}

// Case C08's rule: the sum of the real envelope decides.
TEST_F(MongoInsert, SendsNoLongerMessageThanTheServerTakes) {
  limits_.message_bytes = 104;  // the literal of two documents above
  EXPECT_EQ(send(2), progress::more);
  EXPECT_EQ(out_.size(), 104u);
  limits_.message_bytes = 103;
  EXPECT_EQ(send(2), progress::failed);
  expect_too_long("maxMessageSizeBytes");
}

TEST_F(MongoInsert, RefusesAnEmptyBatch) {
  EXPECT_EQ(send(0), progress::failed);
  EXPECT_EQ(exchange_.why().cause.code, errc::local_bad_value);
  EXPECT_EQ(out_.size(), 0u);
}

TEST_F(MongoInsert, MakesNoHeapAllocationPerOp) {
  if (!tests::allocations_counted()) GTEST_SKIP() << "allocations are not counted under a sanitizer";
  const auto reply = msg_frame(9, 0, bson(R"({"n": 1, "ok": 1.0})"));
  const bytes_view documents[] = {one_};
  EXPECT_EQ(tests::op_allocations(exchange_, reply, [&] { exchange_.set({"t", "c", documents}); }), 0u);
}

}  // namespace
}  // namespace codecs::mongo
