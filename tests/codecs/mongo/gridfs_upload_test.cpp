#include "codecs/mongo/gridfs_upload.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/mongo/codec.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

namespace codecs::mongo {
namespace {

using tests::bson;
using tests::bytes;
using tests::hex;
using tests::sparse_source;
using tests::text_source;

const bytes oid = hex("aabbccddeeff001122334455");
constexpr object_id first_chunk_id{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

std::int64_t now_ms() {
  return 86'400'000;
}

class MongoUpload : public testing::Test {
 protected:
  progress start(chunk_source& source, std::int64_t chunk_bytes, std::size_t batch) {
    out_.clear();
    upload_.set({.database = "t",
                 .id = {BSON_TYPE_OID, oid},
                 .filename = "f",
                 .metadata = {},
                 .chunk_bytes = chunk_bytes,
                 .batch = batch},
                source);
    return upload_.start(out_);
  }

  progress answer(const char* json) {
    const auto asked = tests::id_of(out_.segments()[0]);
    out_.clear();
    return upload_.on_frame(tests::msg_frame(9, asked, bson(json)), out_);
  }

  /// The message that was encoded; its body and the `n` and size of each of its documents: "{...} 0:4 1:4".
  std::string asked() {
    const auto frame = tests::flatten(out_);
    op_msg message;
    EXPECT_FALSE(decode(frame, message));
    std::string seen(text(*lookup(message.body, "insert")));
    EXPECT_EQ(text(*lookup(message.body, "$db")), "t");
    document_cursor documents(message.sequence("documents"));
    for (bytes_view document; documents.next(document);) {
      EXPECT_FALSE(validate(document));
      chunk got;
      if (decode(document, got).cause) return seen + " " + tests::to_json(document);
      seen += " " + std::to_string(got.n) + ":" + std::to_string(got.data.size());
    }
    return seen;
  }

  std::size_t documents_in_message() {
    op_msg message;
    const auto frame = tests::flatten(out_);
    EXPECT_FALSE(decode(frame, message));
    document_cursor documents(message.sequence("documents"));
    std::size_t count = 0;
    for (bytes_view document; documents.next(document);) ++count;
    return count;
  }

  void expect_failure(progress reached, errc code, const char* field, const std::string& text) {
    EXPECT_EQ(reached, progress::failed);
    EXPECT_EQ(upload_.why().cause.code, code);
    EXPECT_STREQ(upload_.why().cause.field, field);
    EXPECT_EQ(upload_.why().text, text);
  }

  request_ids ids_;
  limits limits_;
  object_ids chunk_ids_{first_chunk_id};
  gridfs_upload upload_{ids_, limits_, chunk_ids_, now_ms};
  wire::gather_buffer out_;
};

const char* const file_json =
    R"({ "_id" : { "$oid" : "aabbccddeeff001122334455" }, "length" : 10, "chunkSize" : 4, )"
    R"("uploadDate" : { "$date" : "1970-01-02T00:00:00Z" }, "filename" : "f" })";

TEST_F(MongoUpload, SendsTheChunksAndThenTheFile) {
  text_source source("abcdefghij");
  ASSERT_EQ(start(source, 4, 2), progress::more);
  EXPECT_EQ(asked(), "fs.chunks 0:4 1:4");
  EXPECT_EQ(source.released, 0);
  ASSERT_EQ(answer(R"({"n": 2, "ok": 1.0})"), progress::more);
  EXPECT_EQ(source.released, 2);
  EXPECT_EQ(upload_.stored(), 2);
  EXPECT_EQ(asked(), "fs.chunks 2:2");
  ASSERT_EQ(answer(R"({"n": 1, "ok": 1})"), progress::more);
  EXPECT_EQ(source.released, 3);
  EXPECT_EQ(asked(), std::string("fs.files ") + file_json);
  ASSERT_EQ(answer(R"({"n": 1, "ok": 1})"), progress::done);
  EXPECT_EQ(upload_.stored(), 3);
  EXPECT_EQ(upload_.take_frames_sent(), 3u);
}

TEST_F(MongoUpload, ALiteralChunkMessagePassesTheFiveChecks) {
  const auto frame = hex(R"(
    96000000  # messageLength 150
    01000000  # requestID 1
    00000000  # responseTo
    dd070000  # opCode 2013
    00000000  # flagBits
    00        # kind 0
    30000000
      02 696e7365727400 0a000000 66732e6368756e6b7300   # insert: "fs.chunks"
      08 6f72646572656400 01                            # ordered: true
      02 24646200 02000000 7400                         # $db: "t"
      00
    01        # kind 1
    50000000 646f63756d656e747300                       # size 80, "documents"
      42000000
        07 5f696400 0102030405060708090a0b0c            # _id
        07 66696c65735f696400 aabbccddeeff001122334455  # files_id
        10 6e00 00000000                                # n
        05 6461746100 04000000 00 61626364              # data
        00)");
  text_source source("abcd");
  tests::check_codec(tests::msg_codec(
                         [&](send_buffer& out) {
                           upload_.set({.database = "t",
                                        .id = {BSON_TYPE_OID, oid},
                                        .filename = "f",
                                        .metadata = {},
                                        .chunk_bytes = 4},
                                       source);
                           return upload_.start(out) == progress::more ? fault{} : upload_.why().cause;
                         },
                         [](const op_msg& message) {
                           chunk got;
                           const auto bad = decode(message.sequence("documents"), got);
                           EXPECT_EQ(got.n, 0);
                           EXPECT_EQ(as_text(got.data), "abcd");
                           return bad.cause;
                         }),
                     frame);
}

TEST_F(MongoUpload, BorrowsThePayload) {
  const std::string content(10'000, 'x');
  text_source source(content);
  ASSERT_EQ(start(source, 4'000, 2), progress::more);
  const auto segments = out_.segments();
  ASSERT_EQ(segments.size(), 5u) << "head, payload, end and head, payload, end";
  EXPECT_EQ(segments[1].data(), as_bytes(content).data());
  EXPECT_EQ(segments[2].size(), 1u + 61);
  EXPECT_EQ(segments[3].data(), as_bytes(content).data() + 4'000);
  EXPECT_EQ(out_.copied_bytes(), 0u);
}

TEST_F(MongoUpload, AnEmptyFileHasNoChunk) {
  text_source source("");
  ASSERT_EQ(start(source, 4, 1), progress::more);
  EXPECT_EQ(asked().substr(0, 8), "fs.files");
  EXPECT_EQ(answer(R"({"n": 1, "ok": 1})"), progress::done);
  EXPECT_EQ(source.taken, 0);
}

TEST_F(MongoUpload, AnExactMultipleHasNoEmptyTail) {
  text_source source("abcdefgh");
  ASSERT_EQ(start(source, 4, 0), progress::more);
  EXPECT_EQ(asked(), "fs.chunks 0:4 1:4");
  ASSERT_EQ(answer(R"({"n": 2, "ok": 1})"), progress::more);
  EXPECT_EQ(asked().substr(0, 8), "fs.files");
}

TEST_F(MongoUpload, UsesAnotherBucketAndAnIdOfAnyType) {
  text_source source("abc");
  const auto name = hex("03000000 616200");
  upload_.set(
      {.database = "t", .bucket = "images", .id = {BSON_TYPE_UTF8, name}, .filename = "f", .metadata = {}},
      source);
  ASSERT_EQ(upload_.start(out_), progress::more);
  EXPECT_EQ(asked(), "images.chunks 0:3");
  ASSERT_EQ(answer(R"({"n": 1, "ok": 1})"), progress::more);
  EXPECT_NE(asked().find(R"(images.files { "_id" : "ab",)"), std::string::npos) << asked();
}

// Case C08: 48,000,000 bytes of message, all told. A full default chunk document has 261,182 bytes, 183 of them and the envelope
// 47,796,390: there is room for one with 203,548 bytes of payload.
TEST_F(MongoUpload, FillsAMessageToTheLastByte) {
  const bytes block(261'120);
  const std::int64_t full = 183 * 261'120;
  sparse_source fits(full + 203'548, block);
  ASSERT_EQ(start(fits, 261'120, 0), progress::more);
  EXPECT_EQ(out_.size(), 48'000'000u);
  EXPECT_EQ(documents_in_message(), 184u);

  sparse_source too_long(full + 203'549, block);
  ASSERT_EQ(start(too_long, 261'120, 0), progress::more);
  EXPECT_EQ(out_.size(), 47'796'390u);
  EXPECT_EQ(documents_in_message(), 183u);
}

// Case C08: the limit on the document is not the limit on the message.
TEST_F(MongoUpload, SendsTheLargestChunk) {
  const bytes block(16'777'154);
  sparse_source source(2 * 16'777'154, block);
  ASSERT_EQ(start(source, 16'777'154, 0), progress::more);
  EXPECT_EQ(documents_in_message(), 2u);
  EXPECT_EQ(start(source, 16'777'155, 0), progress::failed);
  EXPECT_STREQ(upload_.why().cause.field, "chunkSize");
  EXPECT_EQ(out_.size(), 0u);
}

TEST_F(MongoUpload, KeepsToTheLimitsOfServerAndSource) {
  text_source source("abcdefghij");
  limits_.write_batch = 3;
  ASSERT_EQ(start(source, 2, 0), progress::more);
  EXPECT_EQ(asked(), "fs.chunks 0:2 1:2 2:2");

  source = text_source("abcdefghij");
  source.most = 2;
  ASSERT_EQ(start(source, 2, 0), progress::more);
  EXPECT_EQ(asked(), "fs.chunks 0:2 1:2");

  source = text_source("abcdefghij");
  limits_.message_bytes = 150;  // of the literal above
  ASSERT_EQ(start(source, 4, 0), progress::more);
  EXPECT_EQ(out_.size(), 150u);
  limits_.message_bytes = 149;
  EXPECT_EQ(start(source, 4, 0), progress::failed);
  EXPECT_EQ(upload_.why().cause.code, errc::local_message_too_long);
  EXPECT_STREQ(upload_.why().cause.field, "maxMessageSizeBytes");
}

// Case C18.
TEST_F(MongoUpload, RefusesMoreChunksThanCanBeNumbered) {
  const bytes block(1);
  sparse_source last(2'147'483'648, block);
  EXPECT_EQ(start(last, 1, 1), progress::more);
  sparse_source beyond(2'147'483'649, block);
  EXPECT_EQ(start(beyond, 1, 1), progress::failed);
  EXPECT_EQ(upload_.why().cause.code, errc::local_bad_value);
  EXPECT_EQ(out_.size(), 0u);
}

TEST_F(MongoUpload, AFailedChunkInTheMiddleEndsIt) {
  text_source source("abcdefghij");
  ASSERT_EQ(start(source, 2, 2), progress::more);
  ASSERT_EQ(answer(R"({"n": 2, "ok": 1})"), progress::more);
  const auto reached =
      answer(R"({"n": 1, "writeErrors": [{"index": 1, "code": 11000, "errmsg": "E11000 dup"}], "ok": 1})");
  expect_failure(reached, errc::remote_server_error, "writeErrors", "chunk 3 of 5: E11000 dup (code 11000)");
  EXPECT_EQ(upload_.server_code(), 11000);
  EXPECT_EQ(upload_.stored(), 2);
  EXPECT_EQ(source.taken, 4) << "no further chunk is taken";
  EXPECT_EQ(out_.size(), 0u);
}

TEST_F(MongoUpload, AFailedLastChunkEndsIt) {
  text_source source("abcde");
  ASSERT_EQ(start(source, 4, 1), progress::more);
  ASSERT_EQ(answer(R"({"n": 1, "ok": 1})"), progress::more);
  expect_failure(answer(R"({"ok": 0, "code": 14031, "errmsg": "disk full"})"), errc::remote_server_error,
                 "ok", "chunk 1 of 2: disk full (code 14031)");
  EXPECT_EQ(out_.size(), 0u) << "no files document";
}

TEST_F(MongoUpload, ARefusedMessageIsAboutAllItsChunks) {
  text_source source("abcdef");
  ASSERT_EQ(start(source, 2, 3), progress::more);
  expect_failure(answer(R"({"ok": 0, "code": 13, "errmsg": "not allowed"})"), errc::remote_server_error, "ok",
                 "chunks 0 to 2 of 3: not allowed (code 13)");
  source = text_source("abcdef");
  ASSERT_EQ(start(source, 2, 3), progress::more);
  expect_failure(answer(R"({"n": 3, "writeConcernError": {"code": 64, "errmsg": "timed out"}, "ok": 1})"),
                 errc::remote_server_error, "writeConcernError", "chunks 0 to 2 of 3: timed out (code 64)");
}

// A file with that `_id` is there already.
TEST_F(MongoUpload, AFailedFilesDocumentIsAnError) {
  text_source source("ab");
  ASSERT_EQ(start(source, 2, 1), progress::more);
  ASSERT_EQ(answer(R"({"n": 1, "ok": 1})"), progress::more);
  expect_failure(
      answer(R"({"n": 0, "writeErrors": [{"index": 0, "code": 11000, "errmsg": "E11000 dup"}], "ok": 1})"),
      errc::remote_server_error, "writeErrors", "files document: E11000 dup (code 11000)");
}

TEST_F(MongoUpload, AnotherNumberOfDocumentsIsAnError) {
  text_source source("abcd");
  ASSERT_EQ(start(source, 2, 2), progress::more);
  EXPECT_EQ(answer(R"({"n": 1, "ok": 1})"), progress::failed);
  EXPECT_EQ(upload_.why().cause.code, errc::remote_bad_value);
  EXPECT_STREQ(upload_.why().cause.field, "n");
  EXPECT_EQ(source.released, 0);
}

TEST_F(MongoUpload, ASourceThatEndsTooEarlyEndsIt) {
  text_source source("abcdef");
  source.good = 1;
  ASSERT_EQ(start(source, 2, 1), progress::more);
  expect_failure(answer(R"({"n": 1, "ok": 1})"), errc::local_payload, "source",
                 "chunk 1 of 3: the file has shrunk");
  EXPECT_FALSE(breaks_stream(upload_.why().cause.code));
}

TEST_F(MongoUpload, AFileThatWasChangedMeanwhileIsNotRecorded) {
  text_source source("abcd");
  source.reason = "the file was written to";
  source.changed = true;
  ASSERT_EQ(start(source, 4, 1), progress::more);
  expect_failure(answer(R"({"n": 1, "ok": 1})"), errc::local_payload, "source",
                 "files document not written: the file was written to");
  EXPECT_EQ(source.released, 1);
  EXPECT_EQ(out_.size(), 0u);
}

TEST_F(MongoUpload, AReplyToAnotherRequestBreaksTheStream) {
  text_source source("abcd");
  ASSERT_EQ(start(source, 4, 1), progress::more);
  EXPECT_EQ(upload_.on_frame(tests::msg_frame(9, 77, bson(R"({"n": 1, "ok": 1})")), out_), progress::failed);
  EXPECT_EQ(upload_.why().cause.code, errc::remote_mismatched_reply);
  EXPECT_EQ(upload_.why().text, "chunk 0 of 1");
}

TEST_F(MongoUpload, MakesNoHeapAllocationPerFile) {
  if (!tests::allocations_counted()) GTEST_SKIP() << "allocations are not counted under a sanitizer";
  const bytes block(4);
  sparse_source source(10, block);
  auto chunks = tests::msg_frame(9, 0, bson(R"({"n": 1, "ok": 1.0})"));
  EXPECT_EQ(tests::allocations_once_warm([&] {
              auto reached = start(source, 4, 1);
              while (reached == progress::more) {
                std::memcpy(chunks.data() + 8, out_.segments()[0].data() + 4, 4);  // responseTo
                out_.clear();
                reached = upload_.on_frame(chunks, out_);
              }
              EXPECT_EQ(reached, progress::done);
            }),
            0u);
}

}  // namespace
}  // namespace codecs::mongo
