#include "codecs/mongo/conversation.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/support/codec_checks.hpp"
#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

namespace codecs::mongo {
namespace {

using tests::bson;
using tests::bytes;
using tests::hex;
using tests::msg_frame;

// Answers {ok: 1, seen: <name>, database, entries} and remembers the names.
class recording_server final : public conversation {
 public:
  std::vector<std::string> names;

 private:
  bytes_view answer_command(const request& request, document& reply) override {
    names.emplace_back(request.name);
    std::int32_t entries = 0;
    const fault bad = count_entries(request, "documents", entries);
    BSON_APPEND_INT32(reply.get(), "ok", 1);
    append_text(reply.get(), "database", request.database);
    if (!bad) BSON_APPEND_INT32(reply.get(), "entries", entries);
    if (bad.code == errc::remote_too_deep) append_text(reply.get(), "bad", bad.field);
    return reply.view();
  }
};

class MongoConversation : public testing::Test {
 protected:
  answer say(const bytes& frame) {
    out_.clear();
    EXPECT_EQ(server_.scan(frame).size, frame.size());
    const auto given = server_.on_frame(frame, out_);
    sent_ = tests::flatten(out_);
    return given;
  }
  tests::opened_msg reply() { return tests::open_msg(sent_); }
  void expect_refusal(const bytes& frame, answer expected, const char* text) {
    EXPECT_EQ(say(frame), expected) << text;
    EXPECT_NE(reply().body.find(text), std::string::npos) << reply().body;
    EXPECT_NE(reply().body.find(R"("ok" : 0.0)"), std::string::npos) << reply().body;
    EXPECT_EQ(reply().response_to, tests::id_of(frame));
  }

  recording_server server_;
  wire::gather_buffer out_;
  bytes sent_;  // by the last say()
};

// Case C01: a checksum is answered by a checksum.
TEST_F(MongoConversation, AnswersAChecksumWithAChecksum) {
  auto frame = hex(R"(
    37000000 01000000 00000000 dd070000 01000000 00
    1e000000 10 70696e6700 01000000 02 24646200 06000000 61646d696e00 00
    327e69a8)");
  ASSERT_EQ(say(frame), answer::reply);
  op_msg answered;
  ASSERT_FALSE(decode(sent_, answered));
  EXPECT_EQ(answered.checksum, checksum::valid);
  EXPECT_EQ(answered.header.response_to, 1);
  EXPECT_EQ(server_.names, std::vector<std::string>{"ping"});

  frame.back() = 0xa9;
  expect_refusal(frame, answer::close, "checksum");
  EXPECT_EQ(server_.names.size(), 1u) << "a message with a wrong checksum was acted on";
}

TEST_F(MongoConversation, AnswersWithoutChecksumWhereThereWasNone) {
  ASSERT_EQ(say(msg_frame(7, 0, bson(R"({"ping": 1, "$db": "admin"})"))), answer::reply);
  EXPECT_EQ(reply().flags, 0u);
  EXPECT_EQ(reply().response_to, 7);
  EXPECT_EQ(reply().body, R"({ "ok" : 1, "database" : "admin" })");
  EXPECT_EQ(server_.take_frames_sent(), 1u);
}

// Case C02.
TEST_F(MongoConversation, FindsTheCommandInTheBodyWhereverItStands) {
  const auto sequence_first = hex(R"(
    50000000 02000000 00000000 dd070000 00000000
    01 1c000000 646f63756d656e747300 0e000000 10 5f696400 01000000 00
    00 1e000000 02 696e7365727400 02000000 6300 02 24646200 02000000 7400 00)");
  const auto body_first = hex(R"(
    50000000 02000000 00000000 dd070000 00000000
    00 1e000000 02 696e7365727400 02000000 6300 02 24646200 02000000 7400 00
    01 1c000000 646f63756d656e747300 0e000000 10 5f696400 01000000 00)");
  for (const auto& frame : {sequence_first, body_first}) {
    ASSERT_EQ(say(frame), answer::reply);
    EXPECT_EQ(reply().body, R"({ "ok" : 1, "database" : "t", "entries" : 1 })");
    EXPECT_EQ(server_.names.back(), "insert");
  }
}

TEST_F(MongoConversation, CountsInlineEntriesToo) {
  ASSERT_EQ(say(msg_frame(1, 0, bson(R"({"insert": "c", "documents": [{}, {}, {}], "$db": "t"})"))),
            answer::reply);
  EXPECT_EQ(reply().body, R"({ "ok" : 1, "database" : "t", "entries" : 3 })");
  ASSERT_EQ(say(msg_frame(1, 0, bson(R"({"insert": "c", "documents": [1], "$db": "t"})"))), answer::reply);
  EXPECT_EQ(reply().body, R"({ "ok" : 1, "database" : "t" })");
}

// Case C04: OP_QUERY is answered by OP_REPLY, then OP_MSG by OP_MSG.
TEST_F(MongoConversation, AnswersTheLegacyHelloInItsOwnMessage) {
  ASSERT_EQ(say(hex(R"(
    44000000 03000000 00000000 d4070000 04000000 61646d696e2e24636d6400 00000000 ffffffff
    1d000000 10 69734d617374657200 01000000 08 68656c6c6f4f6b00 01 00)")),
            answer::reply);
  op_reply answered;
  ASSERT_FALSE(decode(sent_, answered));
  EXPECT_EQ(answered.response_to, 3);
  EXPECT_EQ(answered.flags, 0);
  EXPECT_EQ(answered.cursor, 0);
  EXPECT_EQ(answered.returned, 1);
  EXPECT_EQ(tests::to_json(answered.documents), R"({ "ok" : 1, "database" : "admin" })");
  EXPECT_EQ(server_.names, std::vector<std::string>{"isMaster"});
  EXPECT_EQ(say(msg_frame(4, 0, bson(R"({"hello": 1, "$db": "admin"})"))), answer::reply);
  EXPECT_EQ(reply().response_to, 4);
}

TEST_F(MongoConversation, RefusesOpQueryThatIsNoCommandAndGoesOn) {
  ASSERT_EQ(say(hex(R"(
    25000000 05000000 00000000 d4070000 00000000
    742e6300           # "t.c"
    00000000 01000000  # skip 0, return 1
    0500000000)")),
            answer::reply);
  op_reply answered;
  ASSERT_FALSE(decode(sent_, answered));
  EXPECT_EQ(answered.response_to, 5);
  EXPECT_EQ(answered.flags, op_reply::query_failure);
  EXPECT_NE(tests::to_json(answered.documents).find("$err"), std::string::npos);
  EXPECT_TRUE(server_.names.empty());
}

// Case C05: exactly one reply, to the ping.
TEST_F(MongoConversation, IsSilentAfterMoreToCome) {
  EXPECT_EQ(say(hex(R"(
    6a000000 02000000 00000000 dd070000 02000000
    00 38000000 02 696e7365727400 02000000 6300 02 24646200 02000000 7400
                03 7772697465436f6e6365726e00 0c000000 10 7700 00000000 00 00
    01 1c000000 646f63756d656e747300 0e000000 10 5f696400 01000000 00)")),
            answer::none);
  EXPECT_EQ(out_.size(), 0u);
  EXPECT_EQ(server_.take_frames_sent(), 0u);
  EXPECT_EQ(server_.names, std::vector<std::string>{"insert"});
  EXPECT_EQ(say(msg_frame(4, 0, bson(R"({"ping": 1, "$db": "admin"})"))), answer::reply);
  EXPECT_EQ(reply().response_to, 4);
}

TEST_F(MongoConversation, GoesOnAfterABadDocument) {
  // {ping: <type 55>}
  expect_refusal(msg_frame(1, 0, hex("0f000000 55 70696e6700 01000000 00")), answer::reply, "InvalidBSON");
  expect_refusal(msg_frame(2, 0, bson(R"({"ping": 1})")), answer::reply, "$db");
  expect_refusal(msg_frame(3, 0, hex("0500000000")), answer::reply, "$db");
  EXPECT_TRUE(server_.names.empty());
}

// Case C11, in the body and in a sequence.
TEST_F(MongoConversation, RefusesWhatIsNestedTooDeep) {
  const auto too_deep = tests::nested(max_depth + 2);
  expect_refusal(msg_frame(1, 0, too_deep), answer::reply, "nested too deep");

  auto frame = msg_frame(2, 0, bson(R"({"insert": "c", "$db": "t"})"));
  auto sequence = hex("01 00000000 646f63756d656e747300");
  sequence.insert(sequence.end(), too_deep.begin(), too_deep.end());
  store_le(sequence.data() + 1, static_cast<std::int32_t>(sequence.size() - 1));
  frame.insert(frame.end(), sequence.begin(), sequence.end());
  store_le(frame.data(), static_cast<std::int32_t>(frame.size()));
  EXPECT_EQ(say(frame), answer::reply);
  EXPECT_EQ(reply().body, R"({ "ok" : 1, "database" : "t", "bad" : "document" })");
}

// Case C10 e: the field is named, then the connection is closed.
TEST_F(MongoConversation, NamesTheFieldAndClosesAfterBadSections) {
  expect_refusal(hex(R"(
    50000000 08000000 00000000 dd070000 00000000
    00 1e000000 02 696e7365727400 02000000 6300 02 24646200 02000000 7400 00
    01 ffffffff 646f63756d656e747300 0e000000 10 5f696400 01000000 00)"),
                 answer::close, "section size");
  expect_refusal(hex("1a000000 08000000 00000000 dd070000 04000000 00 0500000000"), answer::close,
                 "flagBits");
  EXPECT_TRUE(server_.names.empty());
}

TEST_F(MongoConversation, ClosesAfterABadOpQuery) {
  // A query without its document.
  EXPECT_EQ(say(hex("20000000 08000000 00000000 d4070000 00000000 742e6300 00000000 01000000")),
            answer::close);
  op_reply answered;
  ASSERT_FALSE(decode(sent_, answered));
  EXPECT_EQ(answered.flags, op_reply::query_failure);
  EXPECT_NE(tests::to_json(answered.documents).find("document length"), std::string::npos);
}

TEST_F(MongoConversation, ClosesOnOpcodesThatWereNotAgreedOn) {
  for (const char* opcode : {"dc070000", "01000000", "d2070000", "00000000"}) {
    EXPECT_EQ(say(hex(std::string("10000000 01000000 00000000 ") + opcode)), answer::close) << opcode;
    EXPECT_EQ(out_.size(), 0u);
  }
}

TEST_F(MongoConversation, AppendsBehindEarlierReplies) {
  const auto ping = msg_frame(4, 0, bson(R"({"ping": 1, "$db": "admin"})"));
  ASSERT_EQ(say(ping), answer::reply);
  const auto one = out_.size();
  ASSERT_EQ(server_.on_frame(ping, out_), answer::reply);
  EXPECT_EQ(out_.size(), 2 * one);
  EXPECT_EQ(scan(tests::flatten(out_)).size, one);
}

}  // namespace
}  // namespace codecs::mongo
