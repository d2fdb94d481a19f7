#include "codecs/mongo/op_query.hpp"

#include "tests/support/codec_checks.hpp"
#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

namespace codecs::mongo {
namespace {

using tests::hex;

// Case C04.
TEST(MongoOpQuery, LegacyHelloPassesTheFiveChecks) {
  const auto hello = tests::bson(R"({"isMaster": 1, "helloOk": true})");
  tests::check_codec(
      {tests::mongo_length, scan,
       [&](send_buffer& out) {
         return encode(out,
                       op_query{.request_id = 3, .flags = 4, .collection = "admin.$cmd", .query = hello});
       },
       [](bytes_view frame) {
         op_query message;
         const fault bad = decode(frame, message);
         if (bad) return bad;
         EXPECT_EQ(message.request_id, 3);
         EXPECT_EQ(message.flags, op_query::secondary_ok);
         EXPECT_EQ(message.collection, "admin.$cmd");
         EXPECT_EQ(message.skip, 0);
         EXPECT_EQ(message.to_return, -1);
         EXPECT_EQ(tests::to_json(message.query), R"({ "isMaster" : 1, "helloOk" : true })");
         EXPECT_TRUE(message.fields.empty());
         return bad;
       }},
      hex(R"(
        44000000  # messageLength 68
        03000000  # requestID 3
        00000000  # responseTo
        d4070000  # opCode 2004
        04000000  # flags: secondaryOk
        61646d696e2e24636d6400  # "admin.$cmd"
        00000000  # numberToSkip
        ffffffff  # numberToReturn -1
        1d000000 10 69734d617374657200 01000000 08 68656c6c6f4f6b00 01 00)"));
}

TEST(MongoOpQuery, TakesAProjection) {
  const auto frame = hex(R"(
    2e000000 03000000 00000000 d4070000 00000000
    612e6200              # "a.b"
    02000000 05000000     # skip 2, return 5
    0500000000            # query
    09000000 08 6100 01 00  # fields)");
  op_query message;
  ASSERT_FALSE(decode(frame, message));
  EXPECT_EQ(message.skip, 2);
  EXPECT_EQ(message.to_return, 5);
  EXPECT_EQ(tests::to_json(message.fields), R"({ "a" : true })");
}

TEST(MongoOpReply, PassesTheFiveChecks) {
  const auto documents = tests::bson(R"({"ok": 1.0})");
  tests::check_codec({tests::mongo_length, scan,
                      [&](send_buffer& out) {
                        return encode(out, op_reply{.request_id = 9,
                                                    .response_to = 3,
                                                    .flags = 8,
                                                    .cursor = 0x0102030405060708,
                                                    .starting_from = 5,
                                                    .returned = 1,
                                                    .documents = documents});
                      },
                      [](bytes_view frame) {
                        op_reply message;
                        const fault bad = decode(frame, message);
                        if (bad) return bad;
                        EXPECT_EQ(message.request_id, 9);
                        EXPECT_EQ(message.response_to, 3);
                        EXPECT_EQ(message.flags, 8);
                        EXPECT_EQ(message.cursor, 0x0102030405060708);
                        EXPECT_EQ(message.starting_from, 5);
                        EXPECT_EQ(message.returned, 1);
                        EXPECT_EQ(tests::to_json(message.documents), R"({ "ok" : 1.0 })");
                        return bad;
                      }},
                     hex(R"(
                       35000000  # messageLength 53
                       09000000  # requestID 9
                       03000000  # responseTo 3
                       01000000  # opCode 1
                       08000000  # responseFlags
                       0807060504030201  # cursorID
                       05000000  # startingFrom
                       01000000  # numberReturned
                       11000000 01 6f6b00 000000000000f03f 00)"));
}

TEST(MongoOpReply, RefusesAWrongNumberOfDocuments) {
  auto frame = hex(R"(
    29000000 09000000 03000000 01000000 00000000 0000000000000000 00000000
    02000000    # numberReturned 2
    0500000000  # one document)");
  op_reply message;
  const fault bad = decode(frame, message);
  EXPECT_EQ(bad.code, errc::remote_bad_value);
  EXPECT_STREQ(bad.field, "numberReturned");
  frame[32] = 1;
  EXPECT_FALSE(decode(frame, message));
}

}  // namespace
}  // namespace codecs::mongo
