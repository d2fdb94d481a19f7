#include "codecs/mongo/op_msg.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/codecs/mongo/codec.hpp"
#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace codecs::mongo {
namespace {

using tests::bytes;
using tests::hex;

const bytes ping_frame = hex(R"(
  33000000  # messageLength 51
  01000000  # requestID 1
  00000000  # responseTo
  dd070000  # opCode 2013
  00000000  # flagBits
  00        # kind 0
  1e000000    10 70696e6700 01000000              # ping: int32 1
              02 24646200 06000000 61646d696e00   # $db: "admin"
              00)");

// Case C01: the same with a checksum.
const bytes checked_frame = hex(R"(
  37000000  # messageLength 55
  01000000  # requestID 1
  00000000  # responseTo
  dd070000  # opCode 2013
  01000000  # flagBits: checksumPresent
  00        # kind 0
  1e000000    10 70696e6700 01000000
              02 24646200 06000000 61646d696e00
              00
  327e69a8  # CRC-32C)");

// Case C02, body first.
const bytes insert_frame = hex(R"(
  50000000  # messageLength 80
  02000000  # requestID 2
  00000000  # responseTo
  dd070000  # opCode 2013
  00000000  # flagBits
  00        # kind 0
  1e000000    02 696e7365727400 02000000 6300     # insert: "c"
              02 24646200 02000000 7400           # $db: "t"
              00
  01        # kind 1
  1c000000    646f63756d656e747300                # size 28, "documents"
    0e000000  10 5f696400 01000000 00             # {_id: 1})");

const bytes sequence_first_frame = hex(R"(
  50000000 02000000 00000000 dd070000 00000000
  01 1c000000 646f63756d656e747300 0e000000 10 5f696400 01000000 00
  00 1e000000 02 696e7365727400 02000000 6300 02 24646200 02000000 7400 00)");

// A message of these sections, with its length filled in.
bytes message_of(std::string_view sections, std::uint32_t flags = 0) {
  bytes frame = hex("00000000 08000000 00000000 dd070000 00000000");
  const auto rest = hex(sections);
  frame.insert(frame.end(), rest.begin(), rest.end());
  store_le(frame.data(), static_cast<std::int32_t>(frame.size()));
  store_le(frame.data() + 16, flags);
  return frame;
}

void expect_fault(const bytes& frame, errc code, const char* field) {
  const auto block = std::make_unique<std::uint8_t[]>(frame.size());
  std::copy(frame.begin(), frame.end(), block.get());
  op_msg message;
  const fault found = decode({block.get(), frame.size()}, message);
  EXPECT_EQ(found.code, code) << tests::to_hex(frame);
  EXPECT_STREQ(found.field, field) << tests::to_hex(frame);
}

TEST(MongoOpMsg, PingPassesTheFiveChecks) {
  const auto command = tests::bson(R"({"ping": 1})");
  tests::check_codec(tests::msg_codec(
                         [&](send_buffer& out) {
                           return encode(out, {.request_id = 1, .body = command, .database = "admin"});
                         },
                         [](const op_msg& message) {
                           EXPECT_EQ(message.header.length, 51);
                           EXPECT_EQ(message.header.request_id, 1);
                           EXPECT_EQ(message.header.response_to, 0);
                           EXPECT_EQ(message.flags, 0u);
                           EXPECT_EQ(message.checksum, checksum::absent);
                           EXPECT_EQ(tests::to_json(message.body), R"({ "ping" : 1, "$db" : "admin" })");
                           EXPECT_EQ(message.sequences().size(), 0u);
                           return fault{};
                         }),
                     ping_frame);
}

TEST(MongoOpMsg, ChecksumPassesTheFiveChecks) {
  const auto command = tests::bson(R"({"ping": 1})");
  tests::check_codec(
      tests::msg_codec(
          [&](send_buffer& out) {
            return encode(
                out,
                {.request_id = 1, .flags = flag::checksum_present, .body = command, .database = "admin"});
          },
          [](const op_msg& message) {
            EXPECT_EQ(message.checksum, checksum::valid);
            EXPECT_EQ(message.body.size(), 30u);
            EXPECT_EQ(message.sequences().size(), 0u);
            return fault{};
          }),
      checked_frame);
}

fault expect_insert(const op_msg& message) {
  EXPECT_EQ(first_key(message.body), "insert");
  EXPECT_EQ(message.sequences().size(), 1u);
  document_cursor documents(message.sequence("documents"));
  bytes_view document;
  EXPECT_TRUE(documents.next(document));
  EXPECT_EQ(tests::to_json(document), R"({ "_id" : 1 })");
  EXPECT_FALSE(documents.next(document));
  EXPECT_TRUE(message.sequence("updates").empty());
  return {};
}

TEST(MongoOpMsg, SequencePassesTheFiveChecks) {
  const auto body = tests::bson(R"({"insert": "c", "$db": "t"})");
  const auto document = tests::bson(R"({"_id": 1})");
  const bytes_view documents[] = {document};
  tests::check_codec(
      tests::msg_codec(
          [&](send_buffer& out) {
            return encode(out,
                          {.request_id = 2, .body = body, .identifier = "documents", .documents = documents});
          },
          expect_insert),
      insert_frame);
}

// Case C02: the name of the command comes from the body, wherever it stands.
TEST(MongoOpMsg, SequenceMayStandBeforeTheBody) {
  tests::check_codec(tests::msg_codec(nullptr, expect_insert), sequence_first_frame);
}

// Case C01: four bytes that are wrong are a wrong checksum, never another section.
TEST(MongoOpMsg, WrongChecksumIsToldApartFromTheSections) {
  bytes frame = checked_frame;
  frame.back() = 0xa9;
  op_msg message;
  EXPECT_FALSE(decode(frame, message));
  EXPECT_EQ(message.checksum, checksum::wrong);
  EXPECT_EQ(message.body.size(), 30u);
}

TEST(MongoOpMsg, RefusesAFrameTooShortForItsChecksum) {
  expect_fault(message_of("000000", flag::checksum_present), errc::remote_truncated, "checksum");
  expect_fault(message_of("00000000", flag::checksum_present), errc::remote_bad_value, "body");
}

// Case C10 e to h.
TEST(MongoOpMsg, RefusesImpossibleSectionSizes) {
  const std::string body = "00 1e000000 02 696e7365727400 02000000 6300 02 24646200 02000000 7400 00 ";
  const std::string rest = " 646f63756d656e747300 0e000000 10 5f696400 01000000 00";
  expect_fault(message_of(body + "01 ffffffff" + rest), errc::remote_bad_length, "section size");
  expect_fault(message_of(body + "01 03000000" + rest), errc::remote_bad_length, "section size");
  expect_fault(message_of(body + "01 04000000" + rest), errc::remote_bad_length, "section size");
  expect_fault(message_of(body + "01 1d000000" + rest), errc::remote_bad_length, "section size");
  expect_fault(message_of(body + "01 0d000000 646f63756d656e7473"), errc::remote_truncated,
               "section identifier");
  expect_fault(message_of(body + "01 1c0000"), errc::remote_truncated, "section size");
}

TEST(MongoOpMsg, RefusesDocumentsThatDoNotFillTheirSequence) {
  const std::string body = "00 0500000000 ";
  expect_fault(message_of(body + "01 0b000000 6100 0600000000"), errc::remote_bad_length, "document length");
  expect_fault(message_of(body + "01 0b000000 6100 0400000000"), errc::remote_bad_length, "document length");
  expect_fault(message_of(body + "01 0b000000 6100 0500000001"), errc::remote_bad_value, "document end");
  expect_fault(message_of(body + "01 0c000000 6100 0500000000 00"), errc::remote_bad_length,
               "document length");
  expect_fault(message_of("00 0600000000"), errc::remote_bad_length, "document length");
}

TEST(MongoOpMsg, RefusesWrongCombinationsOfSections) {
  expect_fault(message_of("00 0500000000 00 0500000000"), errc::remote_bad_value, "body");
  expect_fault(message_of("01 06000000 6100"), errc::remote_bad_value, "body");
  expect_fault(message_of(""), errc::remote_bad_value, "body");
  expect_fault(message_of("02 0500000000"), errc::remote_bad_value, "section kind");
  expect_fault(message_of("00 0500000000 01 06000000 6100 01 06000000 6100"), errc::remote_bad_value,
               "section identifier");
  expect_fault(message_of("00 0500000000 01 06000000 6100 01 06000000 6200 01 06000000 6300"),
               errc::remote_bad_value, "sections");
}

TEST(MongoOpMsg, TakesTwoSequencesAndAnEmptyOne) {
  const auto frame = message_of("01 06000000 6100 00 0500000000 01 0b000000 6200 0500000000");
  op_msg message;
  ASSERT_FALSE(decode(frame, message));
  ASSERT_EQ(message.sequences().size(), 2u);
  EXPECT_EQ(message.sequences()[0].identifier, "a");
  EXPECT_TRUE(message.sequences()[0].documents.empty());
  EXPECT_EQ(message.sequence("b").size(), 5u);
}

TEST(MongoOpMsg, KnowsWhichFlagsMayBeIgnored) {
  op_msg message;
  EXPECT_FALSE(decode(message_of("00 0500000000", flag::exhaust_allowed | 1U << 31), message));
  EXPECT_FALSE(decode(message_of("00 0500000000", flag::more_to_come), message));
  expect_fault(message_of("00 0500000000", 1U << 2), errc::remote_bad_value, "flagBits");
  expect_fault(message_of("00 0500000000", 1U << 15), errc::remote_bad_value, "flagBits");
}

TEST(MongoOpMsg, RefusesAnotherOpcodeOrLength) {
  bytes frame = ping_frame;
  store_le(frame.data() + 12, std::int32_t{2004});
  expect_fault(frame, errc::remote_unexpected_message, "opCode");
  frame = ping_frame;
  frame[0] = 0x34;
  expect_fault(frame, errc::remote_bad_length, "messageLength");
}

TEST(MongoOpMsg, LeavesTheUsersDocumentAlone) {
  const auto command = tests::bson(R"({"ping": 1})");
  const auto before = command;
  wire::gather_buffer out;
  ASSERT_FALSE(encode(out, {.request_id = 1, .body = command, .database = "admin"}));
  EXPECT_EQ(command, before);
}

// Bit by bit, apart from the table-driven one under test.
std::uint32_t crc32c(bytes_view data) {
  std::uint32_t crc = 0xffffffff;
  for (const std::uint8_t byte : data) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0x82f63b78U & (0U - (crc & 1U)));
  }
  return ~crc;
}

TEST(MongoOpMsg, ChecksumCoversBorrowedDocumentsAndNoEarlierMessage) {
  ASSERT_EQ(crc32c(as_bytes("123456789")), 0xe3069283U);
  bytes payload(5000, 0x61);  // long enough to be borrowed
  const bytes_view documents[] = {payload, payload};
  const auto body = hex("0500000000");
  wire::gather_buffer out;
  ASSERT_FALSE(encode(out, {.request_id = 1, .body = body}));
  const auto first_size = out.size();
  ASSERT_FALSE(encode(out, {.request_id = 2,
                            .flags = flag::checksum_present,
                            .body = body,
                            .identifier = "documents",
                            .documents = documents}));
  EXPECT_EQ(out.copied_bytes(), 0u);
  const auto all = tests::flatten(out);
  const auto second = bytes_view(all).subspan(first_size);
  ASSERT_EQ(load_le<std::uint32_t>(second.data()), second.size());
  const auto carried = load_le<std::uint32_t>(second.data() + second.size() - 4);
  EXPECT_EQ(carried, crc32c(second.first(second.size() - 4)));
}

TEST(MongoOpMsg, BorrowsLargeDocuments) {
  const bytes payload(5000, 0x61);
  const bytes_view documents[] = {payload};
  wire::gather_buffer out;
  ASSERT_FALSE(encode(out, {.body = hex("0500000000"), .identifier = "documents", .documents = documents}));
  ASSERT_EQ(out.segments().size(), 2u);
  EXPECT_EQ(out.segments()[1].data(), payload.data());
}

// Case C08: 48,000,000 is accepted, one more is not.
TEST(MongoOpMsg, EncodesUpToTheLimitAndNothingBeyond) {
  const auto body = hex("0500000000");
  const bytes payload(16'000'000 - 15);
  // header 16, flagBits 4, kind 0 with the body 6, kind 1 with size and identifier 15: 41 bytes of envelope.
  const bytes_view fitting[] = {payload, payload, payload, bytes_view(payload).first(3 * 15 - 41)};
  const bytes_view too_long[] = {payload, payload, payload, bytes_view(payload).first(3 * 15 - 41 + 1)};
  wire::gather_buffer out;
  EXPECT_EQ(encoded_size({.body = body, .identifier = "documents", .documents = fitting}), 48'000'000u);
  EXPECT_FALSE(encode(out, {.body = body, .identifier = "documents", .documents = fitting}));
  EXPECT_EQ(out.size(), 48'000'000u);
  out.clear();
  const fault bad = encode(out, {.body = body, .identifier = "documents", .documents = too_long});
  EXPECT_EQ(bad.code, errc::local_message_too_long);
  EXPECT_STREQ(bad.field, "messageLength");
  EXPECT_EQ(out.size(), 0u);
}

}  // namespace
}  // namespace codecs::mongo
