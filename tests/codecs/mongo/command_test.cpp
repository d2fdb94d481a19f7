#include "codecs/mongo/command.hpp"

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

class MongoCommand : public testing::Test {
 protected:
  // Sends {ping: 1}, whose id is then id().
  void ask() {
    build_ping(command_);
    exchange_.set("admin", command_.view());
    out_.clear();
    ASSERT_EQ(exchange_.start(out_), progress::more);
  }
  std::int32_t id() { return tests::id_of(tests::flatten(out_)); }

  void expect_failure(const bytes& reply, errc code, const char* field) {
    EXPECT_EQ(exchange_.on_frame(reply, out_), progress::failed);
    EXPECT_EQ(exchange_.why().cause.code, code) << exchange_.why().sentence();
    EXPECT_STREQ(exchange_.why().cause.field, field);
  }

  request_ids ids_;
  command_exchange exchange_{ids_};
  document command_;
  wire::gather_buffer out_;
};

TEST_F(MongoCommand, SendsTheCommandWithItsDatabase) {
  ask();
  EXPECT_EQ(tests::to_hex(tests::flatten(out_)), tests::to_hex(hex(R"(
    33000000  # messageLength 51
    01000000  # requestID 1
    00000000  # responseTo
    dd070000  # opCode 2013
    00000000  # flagBits
    00        # kind 0
    1e000000    10 70696e6700 01000000              # ping: int32 1
                02 24646200 06000000 61646d696e00   # $db: "admin"
                00)")));
  EXPECT_EQ(tests::to_json(command_.view()), R"({ "ping" : 1 })");
  EXPECT_EQ(exchange_.take_frames_sent(), 1u);
}

// Servers write ok as double, int32 or int64 (case C09).
TEST_F(MongoCommand, TakesOkOfEveryNumericType) {
  for (const char* ok : {R"({"ok": 1.0})", R"({"ok": 1})", R"({"ok": {"$numberLong": "1"}})"}) {
    ask();
    EXPECT_EQ(exchange_.on_frame(msg_frame(9, id(), bson(ok)), out_), progress::done) << ok;
    EXPECT_TRUE(exchange_.reply().ok);
    EXPECT_EQ(exchange_.server_code(), 0);
  }
}

TEST_F(MongoCommand, HandsOutTheReply) {
  ask();
  const auto frame = msg_frame(9, id(), bson(R"({"n": 3, "ok": 1.0})"));
  ASSERT_EQ(exchange_.on_frame(frame, out_), progress::done);
  EXPECT_EQ(tests::to_json(exchange_.reply().body), R"({ "n" : 3, "ok" : 1.0 })");
  EXPECT_EQ(exchange_.reply().body.data(), frame.data() + 21);
}

TEST_F(MongoCommand, ReportsTheServersError) {
  for (
      const char* refusal :
      {R"({"ok": 0.0, "errmsg": "no such thing", "code": 59, "codeName": "CommandNotFound"})",
       R"({"code": {"$numberLong": "59"}, "codeName": "CommandNotFound", "errmsg": "no such thing", "ok": 0})"}) {
    ask();
    expect_failure(msg_frame(9, id(), bson(refusal)), errc::remote_server_error, "ok");
    EXPECT_EQ(exchange_.why().text, "no such thing (code 59 CommandNotFound)");
    EXPECT_EQ(exchange_.server_code(), 59);
    EXPECT_FALSE(breaks_stream(exchange_.why().cause.code));
  }
}

// Case C09: ok:1 is not a success while another place tells of an error.
TEST_F(MongoCommand, FindsErrorsInAllThreePlaces) {
  ask();
  expect_failure(
      msg_frame(9, id(),
                bson(R"({"n": 0, "writeErrors": [{"index": 0, "code": 11000, "errmsg": "dup"}], "ok": 1})")),
      errc::remote_server_error, "writeErrors");
  EXPECT_EQ(exchange_.why().text, "dup (code 11000)");
  ask();
  expect_failure(
      msg_frame(9, id(), bson(R"({"writeConcernError": {"code": 64, "errmsg": "slow"}, "ok": 1})")),
      errc::remote_server_error, "writeConcernError");
  EXPECT_EQ(exchange_.server_code(), 64);
}

TEST_F(MongoCommand, RefusesAReplyWithoutAUsableOk) {
  for (const char* reply : {"{}", R"({"ok": "1"})", R"({"ok": true})", R"({"ok": 0.5})"}) {
    ask();
    expect_failure(msg_frame(9, id(), bson(reply)), errc::remote_bad_value, "ok");
  }
}

TEST_F(MongoCommand, RefusesAReplyToAnotherRequest) {
  ask();
  const auto ok = bson(R"({"ok": 1})");
  expect_failure(msg_frame(9, id() + 1, ok), errc::remote_mismatched_reply, "responseTo");
  EXPECT_TRUE(breaks_stream(exchange_.why().cause.code));
}

TEST_F(MongoCommand, RefusesWhatItDidNotAskFor) {
  const auto ok = bson(R"({"ok": 1})");
  ask();
  expect_failure(msg_frame(9, id(), ok, flag::more_to_come), errc::remote_unexpected_message, "flagBits");
  ask();
  auto compressed = msg_frame(9, id(), ok);
  store_le(compressed.data() + 12, op_code::compressed);
  expect_failure(compressed, errc::remote_unexpected_message, "opCode");
}

TEST_F(MongoCommand, RefusesAWrongChecksum) {
  ask();
  auto body = bson(R"({"ok": 1})");
  body.insert(body.end(), 4, 0);  // where the checksum would be
  auto frame = msg_frame(9, id(), body, flag::checksum_present);
  expect_failure(frame, errc::remote_bad_checksum, "checksum");
}

TEST_F(MongoCommand, RefusesABrokenReply) {
  // {ok: double}, with the type changed to one that does not exist.
  ask();
  expect_failure(msg_frame(9, id(), hex("11000000 55 6f6b00 000000000000f03f 00")), errc::remote_bad_value,
                 "element");
  // writeErrors that is no array.
  ask();
  expect_failure(msg_frame(9, id(), bson(R"({"writeErrors": 1, "ok": 1})")), errc::remote_bad_value,
                 "writeErrors");
}

TEST_F(MongoCommand, MakesNoHeapAllocationPerOp) {
  if (!tests::allocations_counted()) GTEST_SKIP() << "allocations are not counted under a sanitizer";
  const auto reply = msg_frame(9, 0, bson(R"({"ok": 1.0})"));
  const auto set = [&] {
    build_ping(command_);
    exchange_.set("admin", command_.view());
  };
  EXPECT_EQ(tests::op_allocations(exchange_, reply, set), 0u);
}

TEST(MongoCommands, BuildsEndSessions) {
  const auto id = bson(R"({"id": 7})");
  const bytes_view ids[] = {id, id};
  document command;
  build_end_sessions(command, ids);
  EXPECT_EQ(tests::to_json(command.view()), R"({ "endSessions" : [ { "id" : 7 }, { "id" : 7 } ] })");
  build_end_sessions(command, {});
  EXPECT_EQ(tests::to_json(command.view()), R"({ "endSessions" : [  ] })");
}

}  // namespace
}  // namespace codecs::mongo
