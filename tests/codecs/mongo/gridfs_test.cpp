#include "codecs/mongo/gridfs.hpp"

#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

namespace codecs::mongo {
namespace {

using tests::bson;
using tests::bytes;
using tests::hex;

const bytes oid = hex("aabbccddeeff001122334455");
const id_value file_id{BSON_TYPE_OID, oid};
constexpr object_id chunk_id{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

TEST(MongoGridFs, RefusesWhatCannotBeStored) {
  const limits server;
  const auto complaint = [&](std::int64_t length, std::int64_t chunk_bytes, id_value id = file_id) {
    const auto bad = check_storable({length, chunk_bytes}, id, server);
    if (!bad.cause) return std::string("none");
    EXPECT_EQ(bad.cause.code, errc::local_bad_value);
    return std::string(bad.cause.field) + ": " + bad.text;
  };
  EXPECT_EQ(complaint(10, 1), "none");
  EXPECT_EQ(complaint(10, 0), "chunkSize: 0 bytes where the server takes 1 to 16777154");
  EXPECT_EQ(complaint(10, -1), "chunkSize: -1 bytes where the server takes 1 to 16777154");
  EXPECT_EQ(complaint(10, 16'777'154), "none");
  EXPECT_EQ(complaint(10, 16'777'155), "chunkSize: 16777155 bytes where the server takes 1 to 16777154");
  const bytes seven(4);  // an int32 takes 8 bytes less
  EXPECT_EQ(complaint(10, 16'777'162, {BSON_TYPE_INT32, seven}), "none");
  EXPECT_EQ(complaint(10, 16'777'163, {BSON_TYPE_INT32, seven}),
            "chunkSize: 16777163 bytes where the server takes 1 to 16777162");
  EXPECT_EQ(complaint(-1, 1), "length: -1 bytes");

  // Case C18: the last n is 2,147,483,647.
  EXPECT_EQ(complaint(2'147'483'648, 1), "none");
  EXPECT_EQ(
      complaint(2'147'483'649, 1),
      "chunkSize: 2147483649 bytes in chunks of 1 are 2147483649 chunks where GridFS can number 2147483648");
  EXPECT_EQ(complaint(2'147'483'649, 2), "none");
}

TEST(MongoChunkHead, StandsBeforeThePayload) {
  chunk_head head;
  head.set(file_id);
  EXPECT_EQ(chunk_envelope_bytes(file_id), 62u);
  EXPECT_EQ(tests::to_hex(head.of(chunk_id, 7, 4)), tests::to_hex(hex(R"(
    42000000                                             # length 66
      07 5f696400 0102030405060708090a0b0c               # _id
      07 66696c65735f696400 aabbccddeeff001122334455     # files_id
      10 6e00 07000000                                   # n
      05 6461746100 04000000 00                          # data: 4 bytes of subtype 0)")));
  EXPECT_EQ(head.of(chunk_id, 0x01020304, 261'120).size(), 61u);

  const auto text = hex("03000000 616200");
  head.set({BSON_TYPE_UTF8, text});
  EXPECT_EQ(chunk_envelope_bytes({BSON_TYPE_UTF8, text}), 57u);
  EXPECT_EQ(tests::to_hex(head.of(chunk_id, -1, 1)), tests::to_hex(hex(R"(
    3a000000
      07 5f696400 0102030405060708090a0b0c
      02 66696c65735f696400 03000000 616200              # files_id: "ab"
      10 6e00 ffffffff
      05 6461746100 01000000 00)")));
}

TEST(MongoChunk, IsRead) {
  chunk got;
  EXPECT_FALSE(
      decode(
          bson(
              R"({"_id": 1, "files_id": 2, "n": 3, "data": {"$binary": {"base64": "YWJjZA==", "subType": "00"}}})"),
          got)
          .cause);
  EXPECT_EQ(got.n, 3);
  EXPECT_EQ(got.data.size(), 4u);
  EXPECT_FALSE(
      decode(bson(R"({"data": {"$binary": {"base64": "", "subType": "80"}}, "n": 3.0})"), got).cause);
  EXPECT_EQ(got.n, 3);
  EXPECT_EQ(got.data.size(), 0u);
}

// Case C14 (c): 8 bytes of subtype 2, of which 4 are the inner length.
TEST(MongoChunk, UnwrapsTheInnerLengthOfSubtypeTwo) {
  chunk got;
  const auto document = hex("1f000000 10 6e00 00000000 05 6461746100 08000000 02 04000000 61626364 00");
  ASSERT_FALSE(decode(document, got).cause);
  EXPECT_EQ(as_text(got.data), "abcd");
  const auto lying = hex("1f000000 10 6e00 00000000 05 6461746100 08000000 02 05000000 61626364 00");
  EXPECT_EQ(decode(lying, got).cause.code, errc::remote_bad_file);
}

TEST(MongoChunk, NamesWhatIsWrong) {
  const auto complaint = [](const char* json) {
    chunk got;
    const auto bad = decode(bson(json), got);
    EXPECT_EQ(bad.cause.code, errc::remote_bad_file) << json;
    EXPECT_TRUE(got.data.empty());
    return std::string(bad.cause.field) + ": " + bad.text;
  };
  EXPECT_EQ(complaint(R"({"n": 0})"), "data: missing");
  EXPECT_EQ(complaint(R"({"n": "0"})"), "n: no integer");
  EXPECT_EQ(complaint(R"({"n": 0.5})"), "n: no integer");
  EXPECT_EQ(complaint(R"({})"), "n: missing");
  EXPECT_EQ(complaint(R"({"n": 0, "data": "YWJjZA=="})"),
            "data: BSON type 2 where binary, type 5, was expected");
}

TEST(MongoFileDocument, IsBuilt) {
  document built;
  const auto metadata = bson(R"({"a": 1})");
  build(built, {.id = file_id,
                .layout = {3'000'000'000, 261'120},
                .uploaded_ms = 86'400'000,
                .filename = "x.bin",
                .metadata = metadata});
  EXPECT_EQ(tests::to_hex(built.view()), tests::to_hex(hex(R"(
    73000000
      07 5f696400 aabbccddeeff001122334455
      12 6c656e67746800 005ed0b200000000                 # length: int64
      10 6368756e6b53697a6500 00fc0300                   # chunkSize: int32
      09 75706c6f61644461746500 005c260500000000         # uploadDate
      02 66696c656e616d6500 06000000 782e62696e00        # filename
      03 6d6574616461746100 0c000000 10 6100 01000000 00
      00)")));
  build(built, {.id = file_id, .layout = {1, 1}, .uploaded_ms = 0, .filename = {}, .metadata = {}});
  EXPECT_EQ(tests::to_json(built.view()).find("metadata"), std::string::npos);
}

TEST(MongoFileDocument, IsReadWithNumbersOfAnyType) {
  file_document file;
  const auto full = bson(R"({"_id": 5, "length": {"$numberLong": "2147483648"}, "chunkSize": 261120.0,
                             "uploadDate": {"$date": {"$numberLong": "77"}}, "filename": "f", "x": [],
                             "metadata": {"b": 2}})");
  ASSERT_FALSE(decode(full, file).cause);
  EXPECT_EQ(file.layout.file_bytes, 2'147'483'648);
  EXPECT_EQ(file.layout.chunk_bytes, 261'120);
  EXPECT_EQ(file.uploaded_ms, 77);
  EXPECT_EQ(file.filename, "f");
  EXPECT_EQ(tests::to_json(file.metadata), R"({ "b" : 2 })");
  EXPECT_EQ(file.id.type, BSON_TYPE_INT32);
  EXPECT_EQ(tests::to_hex(file.id.bytes), "05000000");

  const auto bare = bson(R"({"length": 2147483648.0, "chunkSize": {"$numberLong": "1"}})");
  ASSERT_FALSE(decode(bare, file).cause);
  EXPECT_EQ(file.layout.file_bytes, 2'147'483'648);
  EXPECT_EQ(file.filename, "");
}

// Case C17 (d), and a length that no file has.
TEST(MongoFileDocument, NamesWhatIsWrong) {
  const auto complaint = [](const char* json) {
    file_document file;
    const auto bad = decode(bson(json), file);
    EXPECT_EQ(bad.cause.code, errc::remote_bad_file) << json;
    return std::string(bad.cause.field) + ": " + bad.text;
  };
  EXPECT_EQ(complaint(R"({"length": 1})"), "chunkSize: the files document has no integer of that name");
  EXPECT_EQ(complaint(R"({"length": 1, "chunkSize": 0})"), "chunkSize: 0 bytes");
  EXPECT_EQ(complaint(R"({"length": 1, "chunkSize": -1})"), "chunkSize: -1 bytes");
  EXPECT_EQ(complaint(R"({"length": 1, "chunkSize": 1.5})"),
            "chunkSize: the files document has no integer of that name");
  EXPECT_EQ(complaint(R"({"chunkSize": 1})"), "length: the files document has no integer of that name");
  EXPECT_EQ(complaint(R"({"length": -2147483648, "chunkSize": 1})"), "length: -2147483648 bytes");
  EXPECT_EQ(complaint(R"({"length": {"$numberLong": "2147483649"}, "chunkSize": 1})"),
            "length: 2147483649 bytes in chunks of 1 are more than GridFS can number");
}

TEST(MongoObjectIds, AreCountedUpBehindTheTime) {
  object_ids ids({1, 2, 3, 4, 0, 0, 0, 0, 0, 0xff, 0xff, 0xfe});
  EXPECT_EQ(tests::to_hex(ids.next()), "010203040000000000fffffe");
  EXPECT_EQ(tests::to_hex(ids.next()), "010203040000000000ffffff");
  EXPECT_EQ(tests::to_hex(ids.next()), "010203040000000001000000");
}

TEST(MongoBson, AppendsAValueOfAnyTypeAsItIs) {
  document built;
  append_value(built.get(), "a", file_id);
  const auto code = hex("04000000 61006200");  // libbson itself would cut it at its NUL
  append_value(built.get(), "b", {BSON_TYPE_CODE, code});
  append_value(built.get(), "c", {BSON_TYPE_NULL, {}});
  bytes long_text(1004);
  store_le(long_text.data(), std::int32_t{1000});
  append_value(built.get(), "d", {BSON_TYPE_UTF8, long_text});
  EXPECT_EQ(built.view().size(), 5u + 15 + 11 + 3 + 1007);
  EXPECT_EQ(tests::to_hex(built.view().subspan(4, 29)),
            "076100aabbccddeeff0011223344550d62000400000061006200"
            "0a6300");
  EXPECT_EQ(id_value::of(*lookup(built.view(), "d")).bytes.size(), 1004u);
}

}  // namespace
}  // namespace codecs::mongo
