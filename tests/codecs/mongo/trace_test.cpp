#include "codecs/mongo/trace.hpp"

#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

namespace codecs::mongo {
namespace {

using tests::bson;
using tests::hex;
using tests::msg_frame;

TEST(MongoTrace, NamesTheCommand) {
  EXPECT_EQ(trace(msg_frame(1, 0, bson(R"({"ping": 1, "$db": "admin"})")), direction::to_server),
            "-> OP_MSG id=1 51B ping db=admin body=30B");
}

// Case C05's insert.
TEST(MongoTrace, CountsTheDocumentsOfASequence) {
  EXPECT_EQ(trace(hex(R"(
    6a000000 02000000 00000000 dd070000 02000000
    00 38000000 02 696e7365727400 02000000 6300 02 24646200 02000000 7400
                03 7772697465436f6e6365726e00 0c000000 10 7700 00000000 00 00
    01 1c000000 646f63756d656e747300 0e000000 10 5f696400 01000000 00)"),
                  direction::to_server),
            "-> OP_MSG id=2 106B insert db=t body=56B documents=1/14B moreToCome");
}

TEST(MongoTrace, TellsHowItWent) {
  EXPECT_EQ(trace(msg_frame(9, 2, bson(R"({"n": 1, "ok": 1.0})")), direction::to_client),
            "<- OP_MSG id=9 to=2 45B ok=1 n=1 body=24B");
  EXPECT_EQ(
      trace(msg_frame(9, 2, bson(R"({"ok": 0, "code": 59, "errmsg": "no\nsuch"})")), direction::to_client),
      "<- OP_MSG id=9 to=2 64B ok=0 code=59 errmsg=\"no\\x0asuch\" body=43B");
  EXPECT_EQ(trace(msg_frame(9, 2, bson(R"({"n": 1, "writeErrors": [{}], "ok": 1})")), direction::to_client),
            "<- OP_MSG id=9 to=2 67B ok=1 n=1 writeErrors body=46B");
}

TEST(MongoTrace, TellsWhatWritesDid) {
  EXPECT_EQ(trace(hex(R"(
    70000000 02000000 00000000 dd070000 00000000
    00 1e000000 02 75706461746500 02000000 6300 02 24646200 02000000 7400 00
    01 3c000000 7570646174657300 30000000 03 7100 0e000000 10 5f696400 01000000 00
                03 7500 17000000 03 2473657400 0c000000 10 6100 02000000 00 00 00)"),
                  direction::to_server),
            "-> OP_MSG id=2 112B update db=t body=30B updates=1/48B");
  EXPECT_EQ(trace(hex(R"(
    61000000 03000000 00000000 dd070000 00000000
    00 1e000000 02 64656c65746500 02000000 6300 02 24646200 02000000 7400 00
    01 2d000000 64656c6574657300 21000000 03 7100 0e000000 10 5f696400 01000000 00
                10 6c696d697400 00000000 00)"),
                  direction::to_server),
            "-> OP_MSG id=3 97B delete db=t body=30B deletes=1/33B");
  EXPECT_EQ(trace(msg_frame(9, 2, bson(R"({"n": 2, "nModified": 1, "ok": 1.0})")), direction::to_client),
            "<- OP_MSG id=9 to=2 60B ok=1 n=2 nModified=1 body=39B");
  EXPECT_EQ(
      trace(msg_frame(9, 2, bson(R"({"n": 2, "upserted": [{}, {}], "ok": 1.0})")), direction::to_client),
      "<- OP_MSG id=9 to=2 76B ok=1 n=2 upserted=2 body=55B");
}

// Case C01.
TEST(MongoTrace, FlagsAWrongChecksumAndStillShowsTheMessage) {
  auto frame = hex(R"(
    37000000 01000000 00000000 dd070000 01000000 00
    1e000000 10 70696e6700 01000000 02 24646200 06000000 61646d696e00 00
    327e69a8)");
  EXPECT_EQ(trace(frame, direction::to_server), "-> OP_MSG id=1 55B ping db=admin body=30B checksum");
  frame.back() = 0xa9;
  EXPECT_EQ(trace(frame, direction::to_server), "-> OP_MSG id=1 55B ping db=admin body=30B checksum WRONG");
}

// Case C04: the pair has a name.
TEST(MongoTrace, LabelsTheLegacyHello) {
  EXPECT_EQ(trace(hex(R"(
    44000000 03000000 00000000 d4070000 04000000 61646d696e2e24636d6400 00000000 ffffffff
    1d000000 10 69734d617374657200 01000000 08 68656c6c6f4f6b00 01 00)"),
                  direction::to_server),
            "-> OP_QUERY id=3 68B isMaster hello (legacy) admin.$cmd");
  EXPECT_EQ(trace(hex(R"(
    45000000 09000000 03000000 01000000 08000000 0000000000000000 00000000 01000000
    21000000 10 6d61785769726556657273696f6e00 15000000 10 6f6b00 01000000 00)"),
                  direction::to_client),
            "<- OP_REPLY id=9 to=3 69B hello (legacy) documents=1 ok=1");
}

// Case C10 e.
TEST(MongoTrace, SaysWhichFieldCannotBeDecoded) {
  EXPECT_EQ(trace(hex(R"(
    50000000 08000000 00000000 dd070000 00000000
    00 1e000000 02 696e7365727400 02000000 6300 02 24646200 02000000 7400 00
    01 ffffffff 646f63756d656e747300 0e000000 10 5f696400 01000000 00)"),
                  direction::to_server),
            "-> OP_MSG id=8 80B undecodable: the peer sent an impossible length (section size)");
  EXPECT_EQ(trace(hex("0102"), direction::to_client), "<- 2 bytes, no header");
}

TEST(MongoTrace, NamesOtherOpcodes) {
  EXPECT_EQ(trace(hex("10000000 01000000 00000000 dc070000"), direction::to_server),
            "-> OP_COMPRESSED id=1 16B");
  EXPECT_EQ(trace(hex("10000000 01000000 00000000 d2070000"), direction::to_server),
            "-> opcode 2002 id=1 16B");
}

}  // namespace
}  // namespace codecs::mongo
