#include "codecs/mongo/gridfs_download.hpp"

#include "wire/strategy/gather.hpp"
#include "wire/strategy/memory_sink.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/direct.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/codec_checks.hpp"
#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace codecs::mongo {
namespace {

using tests::bson;
using tests::bytes;
using tests::hex;
using tests::text_sink;

const bytes oid = hex("aabbccddeeff001122334455");

bytes copy(const document& built) {
  const auto view = built.view();
  return {view.begin(), view.end()};
}

bytes chunk_document(std::int64_t n, std::string_view payload, bson_subtype_t subtype = BSON_SUBTYPE_BINARY) {
  document built;
  BSON_APPEND_INT32(built.get(), "_id", 1);
  BSON_APPEND_INT64(built.get(), "n", n);
  BSON_APPEND_BINARY(built.get(), "data", subtype, as_bytes(payload).data(),
                     static_cast<std::uint32_t>(payload.size()));
  return copy(built);
}

bytes batch(const char* name, std::int64_t cursor, const std::vector<bytes>& documents) {
  document reply;
  bson_t inner;
  bson_t array;
  BSON_APPEND_DOCUMENT_BEGIN(reply.get(), "cursor", &inner);
  bson_append_array_begin(&inner, name, -1, &array);
  for (std::size_t i = 0; i < documents.size(); ++i) append_document(&array, std::to_string(i), documents[i]);
  bson_append_array_end(&inner, &array);
  BSON_APPEND_INT64(&inner, "id", cursor);
  bson_append_document_end(reply.get(), &inner);
  BSON_APPEND_DOUBLE(reply.get(), "ok", 1.0);
  return copy(reply);
}

class MongoDownload : public testing::Test {
 protected:
  void start(std::int32_t batch_size = 0) {
    sink_ = {};
    out_.clear();
    download_.set({.database = "t", .id = {BSON_TYPE_OID, oid}, .batch = batch_size}, sink_);
    ASSERT_EQ(download_.start(out_), progress::more);
  }
  progress answer(const bytes& body) {
    const auto asked = tests::id_of(tests::flatten(out_));
    out_.clear();
    return download_.on_frame(tests::msg_frame(9, asked, body), out_);
  }
  progress first(std::int64_t cursor, const std::vector<bytes>& documents) {
    return answer(batch("firstBatch", cursor, documents));
  }
  progress next(std::int64_t cursor, const std::vector<bytes>& documents) {
    return answer(batch("nextBatch", cursor, documents));
  }

  /// Up to the query on chunks, of a file of 10 bytes in chunks of 4.
  void start_with_file(const char* file = R"({"_id": 1, "length": 10, "chunkSize": 4})") {
    start();
    ASSERT_EQ(first(0, {bson(file)}), progress::more);
  }

  /// Damage that shows in the first batch of chunks; the cursor, being open, is closed, and that is all.
  void expect_damage(const std::vector<bytes>& chunks, const char* field, const char* text,
                     const char* delivered) {
    start_with_file();
    ASSERT_EQ(first(7, chunks), progress::more) << text;
    EXPECT_EQ(asked(), R"({ "killCursors" : "fs.chunks", "cursors" : [ 7 ], "$db" : "t" })");
    EXPECT_EQ(answer(bson(R"({"cursorsKilled": [7], "ok": 1})")), progress::failed);
    expect_failure(errc::remote_bad_file, field, text);
    EXPECT_EQ(sink_.text, delivered);
    EXPECT_EQ(out_.size(), 0u);

    start_with_file();  // the same without a cursor that is left
    ASSERT_EQ(first(0, chunks), progress::failed) << text;
    expect_failure(errc::remote_bad_file, field, text);
  }
  void expect_failure(errc code, const char* field, const std::string& text) {
    EXPECT_EQ(download_.why().cause.code, code);
    EXPECT_STREQ(download_.why().cause.field, field) << text;
    EXPECT_EQ(download_.why().text, text);
    EXPECT_FALSE(breaks_stream(download_.why().cause.code));
  }
  std::string asked() { return tests::open_msg(tests::flatten(out_)).body; }

  request_ids ids_;
  gridfs_download download_{ids_};
  text_sink sink_;
  wire::gather_buffer out_;
};

TEST_F(MongoDownload, ReadsTheFilesDocumentAndThenTheChunks) {
  start(2);
  EXPECT_EQ(asked(),
            R"({ "find" : "fs.files", "filter" : { "_id" : { "$oid" : "aabbccddeeff001122334455" } }, )"
            R"("limit" : 1, "singleBatch" : true, "$db" : "t" })");
  ASSERT_EQ(first(0, {bson(R"({"_id": 1, "length": 10, "chunkSize": 4})")}), progress::more);
  EXPECT_EQ(asked(),
            R"({ "find" : "fs.chunks", "filter" : { "files_id" : { "$oid" : "aabbccddeeff001122334455" } }, )"
            R"("sort" : { "n" : 1 }, "limit" : 4, "batchSize" : 2, "$db" : "t" })");
  ASSERT_EQ(first(7, {chunk_document(0, "abcd"), chunk_document(1, "efgh")}), progress::more);
  EXPECT_EQ(sink_.text, "abcdefgh");
  EXPECT_EQ(asked(), R"({ "getMore" : 7, "collection" : "fs.chunks", "batchSize" : 2, "$db" : "t" })");
  ASSERT_EQ(next(0, {chunk_document(2, "ij")}), progress::done);
  EXPECT_EQ(sink_.text, "abcdefghij");
  EXPECT_EQ(download_.layout().file_bytes, 10);
  EXPECT_EQ(download_.delivered(), 3);
  EXPECT_EQ(download_.get_mores(), 1u);
  EXPECT_EQ(download_.take_frames_sent(), 3u);
}

// Case C17 (a): the chunk size is the file's.
TEST_F(MongoDownload, TakesTheChunkSizeFromTheFilesDocument) {
  start_with_file(R"({"_id": 1, "length": 2500, "chunkSize": 1000})");
  const std::string full(1000, 'x');
  EXPECT_EQ(first(0, {chunk_document(0, full), chunk_document(1, full), chunk_document(2, full.substr(500))}),
            progress::done);
  EXPECT_EQ(sink_.text.size(), 2500u);
}

// No reply passes 16 MiB, whatever the server would send of itself.
TEST_F(MongoDownload, AsksForAsManyChunksAsSixteenMebibytesHold) {
  start_with_file(R"({"_id": 1, "length": 10000000000, "chunkSize": 261120})");
  EXPECT_NE(asked().find(R"("limit" : 38298, "batchSize" : 64,)"), std::string::npos) << asked();
  start_with_file(R"({"_id": 1, "length": 10000000000, "chunkSize": 16777154})");
  EXPECT_NE(asked().find(R"("batchSize" : 1,)"), std::string::npos) << asked();
  start_with_file(R"({"_id": 1, "length": 3, "chunkSize": 16777154})");
  EXPECT_NE(asked().find(R"("limit" : 2, "batchSize" : 258111)"), std::string::npos) << asked();
}

// Case C17 (b), (c): whether there is a stray chunk is not even asked.
TEST_F(MongoDownload, AnEmptyFileHasNoChunks) {
  start();
  EXPECT_EQ(first(0, {bson(R"({"_id": 1, "length": 0, "chunkSize": 4})")}), progress::done);
  EXPECT_EQ(sink_.text, "");
  EXPECT_EQ(out_.size(), 0u);
}

// Case C17 (e).
TEST_F(MongoDownload, AnExactMultipleHasNoThirdChunk) {
  start_with_file(R"({"_id": 1, "length": 8, "chunkSize": 4})");
  EXPECT_EQ(first(0, {chunk_document(0, "abcd"), chunk_document(1, "efgh")}), progress::done);
  EXPECT_EQ(sink_.text, "abcdefgh");
}

// Cases C17 (d), C18.
TEST_F(MongoDownload, TakesNumbersOfAnyType) {
  start_with_file(R"({"_id": 1, "length": 2147483648.0, "chunkSize": {"$numberLong": "1073741824"}})");
  EXPECT_EQ(download_.layout().file_bytes, 2'147'483'648);
  EXPECT_NE(asked().find(R"("limit" : 3,)"), std::string::npos) << asked();
}

// Case C17 (d): no query on chunks.
TEST_F(MongoDownload, ABadFilesDocumentIsAnErrorAtOnce) {
  for (const char* file : {R"({"length": 4})", R"({"length": 4, "chunkSize": 0})",
                           R"({"length": 4, "chunkSize": -4})", R"({"length": -1, "chunkSize": 4})"}) {
    start();
    EXPECT_EQ(first(0, {bson(file)}), progress::failed) << file;
    EXPECT_EQ(download_.why().cause.code, errc::remote_bad_file) << file;
    EXPECT_EQ(out_.size(), 0u) << file;
  }
}

TEST_F(MongoDownload, NoFileIsAnError) {
  start();
  EXPECT_EQ(first(0, {}), progress::failed);
  expect_failure(errc::remote_bad_file, "files document", "there is none with this _id");
}

TEST_F(MongoDownload, NamesAMissingChunk) {
  expect_damage({chunk_document(1, "efgh")}, "n", "chunk 0 of 3 is missing, chunk 1 follows", "");
  expect_damage({chunk_document(0, "abcd"), chunk_document(2, "ij")}, "n",
                "chunk 1 of 3 is missing, chunk 2 follows", "abcd");
}

TEST_F(MongoDownload, NamesAMissingEnd) {
  start_with_file();
  EXPECT_EQ(first(0, {chunk_document(0, "abcd"), chunk_document(1, "efgh")}), progress::failed);
  expect_failure(errc::remote_bad_file, "n", "chunk 2 of 3 is missing, as are all behind it");
  start_with_file();
  EXPECT_EQ(first(0, {}), progress::failed);
  expect_failure(errc::remote_bad_file, "n", "chunk 0 of 3 is missing, as are all behind it");
}

TEST_F(MongoDownload, NamesAChunkThatIsThereTwice) {
  expect_damage({chunk_document(0, "abcd"), chunk_document(0, "abcd")}, "n", "chunk 0 of 3 is there twice",
                "abcd");
  expect_damage({chunk_document(0, "abcd"), chunk_document(1, "efgh"), chunk_document(2, "ij"),
                 chunk_document(2, "ij")},
                "n", "chunk 2 of 3 is there twice", "abcdefghij");
}

TEST_F(MongoDownload, NamesAnExtraChunk) {
  const std::vector<bytes> whole{chunk_document(0, "abcd"), chunk_document(1, "efgh"),
                                 chunk_document(2, "ij")};
  auto chunks = whole;
  chunks.push_back(chunk_document(3, ""));
  expect_damage(chunks, "n", "chunk 3 is there, of a file of 3 chunks", "abcdefghij");
  chunks.back() = chunk_document(9, "x");
  expect_damage(chunks, "n", "chunk 9 is there, of a file of 3 chunks", "abcdefghij");
  expect_damage({chunk_document(-1, "abcd")}, "n", "chunk -1 is there, of a file of 3 chunks", "");
}

TEST_F(MongoDownload, NamesAChunkOfAnotherSize) {
  expect_damage({chunk_document(0, "abc")}, "data", "chunk 0 of 3: 3 bytes where 4 were expected", "");
  expect_damage({chunk_document(0, "abcd"), chunk_document(1, "efghi")}, "data",
                "chunk 1 of 3: 5 bytes where 4 were expected", "abcd");
  expect_damage({chunk_document(0, "abcd"), chunk_document(1, "efgh"), chunk_document(2, "ijk")}, "data",
                "chunk 2 of 3: 3 bytes where 2 were expected", "abcdefgh");
}

TEST_F(MongoDownload, NamesDataOfAnotherType) {
  expect_damage({bson(R"({"n": 0, "data": "YWJjZA=="})")}, "data",
                "chunk 0 of 3: BSON type 2 where binary, type 5, was expected", "");
  expect_damage({bson(R"({"n": 0})")}, "data", "chunk 0 of 3: missing", "");
  expect_damage({bson(R"({"n": "0"})")}, "n", "chunk 0 of 3: no integer", "");
}

// Case C14: (a) the base64 text of the payload as binary, (b) as a string, (c) subtype 2.
TEST_F(MongoDownload, TellsAThirdMoreBytes) {
  constexpr const char* file = R"({"_id": 1, "length": 261120, "chunkSize": 261120})";
  const std::string grown(348'160, 'A');
  start_with_file(file);
  EXPECT_EQ(first(0, {chunk_document(0, grown)}), progress::failed);
  expect_failure(errc::remote_bad_file, "data", "chunk 0 of 1: 348160 bytes where 261120 were expected");
  start_with_file(file);
  document text;
  BSON_APPEND_INT32(text.get(), "n", 0);
  append_text(text.get(), "data", grown);
  EXPECT_EQ(first(0, {copy(text)}), progress::failed);
  expect_failure(errc::remote_bad_file, "data",
                 "chunk 0 of 1: BSON type 2 where binary, type 5, was expected");
  EXPECT_EQ(sink_.text, "");
  start_with_file(file);
  EXPECT_EQ(first(0, {chunk_document(0, grown.substr(0, 261'120), BSON_SUBTYPE_BINARY_DEPRECATED)}),
            progress::done);
  EXPECT_EQ(sink_.text.size(), 261'120u);
}

TEST_F(MongoDownload, StopsWhenTheSinkTakesNoMore) {
  start_with_file();
  sink_.room = 1;
  ASSERT_EQ(first(7, {chunk_document(0, "abcd"), chunk_document(1, "efgh")}), progress::more);
  EXPECT_NE(asked().find("killCursors"), std::string::npos);
  EXPECT_EQ(answer(bson(R"({"ok": 1})")), progress::failed);
  expect_failure(errc::local_payload, "sink", "chunk 1 of 3: no space left on device");
  EXPECT_EQ(sink_.text, "abcd");
  EXPECT_EQ(download_.delivered(), 1);
}

TEST_F(MongoDownload, DamageGoesBeforeARefusalToCloseTheCursor) {
  start_with_file();
  ASSERT_EQ(first(7, {chunk_document(1, "efgh")}), progress::more);
  EXPECT_EQ(answer(bson(R"({"ok": 0, "code": 13, "errmsg": "not allowed"})")), progress::failed);
  EXPECT_EQ(download_.why().cause.code, errc::remote_bad_file);
}

TEST_F(MongoDownload, PassesOnTheServersError) {
  start_with_file();
  EXPECT_EQ(answer(bson(R"({"ok": 0, "code": 43, "errmsg": "cursor gone"})")), progress::failed);
  expect_failure(errc::remote_server_error, "ok", "cursor gone (code 43)");
  EXPECT_EQ(download_.server_code(), 43);
}

/// A file of 12,345 bytes in chunks of 5,000 that is received directly, into memory.
class MongoDirectDownload : public MongoDownload {
 protected:
  MongoDirectDownload() {
    for (std::size_t i = 0; i < content_.size(); ++i) content_[i] = static_cast<char>(i % 251);
  }

  bytes piece(std::int64_t n, bson_subtype_t subtype = BSON_SUBTYPE_BINARY) const {
    return chunk_document(n, std::string_view(content_).substr(static_cast<std::size_t>(n) * 5000, 5000),
                          subtype);
  }
  void start_into_memory() {
    out_.clear();
    sink_ = std::make_unique<wire::memory_sink>(memory_);
    download_.set({.database = "t", .id = {BSON_TYPE_OID, oid}}, *sink_);
    ASSERT_EQ(download_.start(out_), progress::more);
    const auto length = std::to_string(content_.size());
    const auto file = R"({"_id": 1, "chunkSize": 5000, "length": )" + length + "}";
    ASSERT_EQ(first(0, {bson(file.c_str())}), progress::more);
  }
  progress receive(const char* name, std::int64_t cursor, const std::vector<bytes>& documents,
                   std::size_t step, std::size_t ahead = 0) {
    const auto asked = tests::id_of(tests::flatten(out_));
    out_.clear();
    const auto got = tests::receive_directly(
        download_, tests::msg_frame(9, asked, batch(name, cursor, documents)), step, ahead);
    landed_ = got.landed;
    reads_ = got.reads;
    return download_.on_frame(got.bytes, out_);
  }

  std::string content_ = std::string(12'345, '\0');
  bytes memory_ = bytes(12'345);
  std::unique_ptr<wire::memory_sink> sink_;
  std::size_t landed_ = 0;
  std::size_t reads_ = 0;
};

TEST_F(MongoDirectDownload, PayloadLandsWhereItStays) {
  for (const std::size_t step : {1, 7, 300, 4096, 1'000'000}) {
    start_into_memory();
    ASSERT_EQ(receive("firstBatch", 7, {piece(0), piece(1)}, step), progress::more) << step;
    EXPECT_EQ(landed_, 10'000u) << step;
    ASSERT_EQ(receive("nextBatch", 0, {piece(2)}, step), progress::done) << step;
    EXPECT_EQ(landed_, 2'345u) << "a cursor's last batch";
    EXPECT_EQ(as_text(sink_->bytes()), content_) << step;
    EXPECT_EQ(sink_->counters().copied_bytes, 0u) << step;
  }
}

// Two batches, in both of which the array's keys grow by a digit: all lands, and once the distance between two payloads is known,
// a chunk takes one read.
TEST_F(MongoDirectDownload, TakesOneReadPerChunk) {
  content_.assign(25 * 5000, 'x');
  memory_.resize(content_.size());
  start_into_memory();
  std::vector<bytes> chunks;
  for (int n = 0; n < 13; ++n) chunks.push_back(piece(n));
  ASSERT_EQ(receive("firstBatch", 7, chunks, 1'000'000), progress::more);
  EXPECT_EQ(landed_, 65'000u);
  EXPECT_LE(reads_, 13u + 12) << "those to find the first payload, the second, and the first behind key 10";
  chunks.clear();
  for (int n = 13; n < 25; ++n) chunks.push_back(piece(n));
  ASSERT_EQ(receive("nextBatch", 0, chunks, 1'000'000), progress::done);
  EXPECT_EQ(landed_, 60'000u);
  EXPECT_EQ(as_text(sink_->bytes()), content_);
}

// What a read brought together with the head of a payload stays where it is.
TEST_F(MongoDirectDownload, TakesWhatHasComeAlong) {
  // Header, flags, kind and length; "cursor"; "firstBatch"; "0"; "_id", "n", "data".
  constexpr std::size_t first_payload = 25 + 12 + 16 + 7 + 9 + 11 + 11;
  for (const std::size_t ahead : {10U, 91U, 92U, 1000U, 6000U, 12'000U}) {
    start_into_memory();
    ASSERT_EQ(receive("firstBatch", 0, {piece(0), piece(1), piece(2)}, 1'000'000, ahead), progress::done);
    EXPECT_EQ(as_text(sink_->bytes()), content_) << ahead;
    EXPECT_EQ(landed_, ahead <= first_payload ? 12'345u : 0u) << ahead;
  }
}

TEST_F(MongoDirectDownload, OtherDataStaysInTheFrameAndIsJudgedThere) {
  start_into_memory();
  EXPECT_EQ(
      receive("firstBatch", 0, {piece(0), piece(1, BSON_SUBTYPE_BINARY_DEPRECATED), piece(2)}, 1'000'000),
      progress::done);
  EXPECT_EQ(as_text(sink_->bytes()), content_);

  start_into_memory();
  EXPECT_EQ(receive("firstBatch", 0, {piece(0), chunk_document(1, content_)}, 1'000'000), progress::failed);
  expect_failure(errc::remote_bad_file, "data", "chunk 1 of 3: 12345 bytes where 5000 were expected");
  EXPECT_EQ(landed_, 5'000u);
  EXPECT_EQ(sink_->bytes().size(), 5'000u);

  start_into_memory();
  const auto shorter = chunk_document(1, content_.substr(0, 4996), BSON_SUBTYPE_BINARY_DEPRECATED);
  EXPECT_EQ(receive("firstBatch", 0, {piece(0), shorter}, 1'000'000), progress::failed);
  expect_failure(errc::remote_bad_file, "data", "chunk 1 of 3: 4996 bytes where 5000 were expected");

  start_into_memory();
  EXPECT_EQ(receive("firstBatch", 0, {piece(0), piece(0)}, 1'000'000), progress::failed);
  expect_failure(errc::remote_bad_file, "n", "chunk 0 of 3 is there twice");
  EXPECT_EQ(sink_->bytes().size(), 5'000u);
}

// A sink that has no place for it beforehand gets it as ever.
TEST_F(MongoDirectDownload, WithoutAPlaceNothingLands) {
  start_with_file(R"({"_id": 1, "length": 12345, "chunkSize": 5000})");
  EXPECT_EQ(receive("firstBatch", 0, {piece(0), piece(1), piece(2)}, 1'000'000), progress::done);
  EXPECT_EQ(landed_, 0u);
  EXPECT_EQ(MongoDownload::sink_.text, content_);
}

TEST_F(MongoDownload, MakesNoHeapAllocationPerFile) {
  if (!tests::allocations_counted()) GTEST_SKIP() << "allocations are not counted under a sanitizer";
  struct counting final : chunk_sink {
    bool put(bytes_view chunk) override {
      size += chunk.size();
      return true;
    }
    const std::string& why() const override { return reason; }
    std::size_t size = 0;
    std::string reason;
  } sink;
  auto file = tests::msg_frame(9, 0, batch("firstBatch", 0, {bson(R"({"length": 6, "chunkSize": 4})")}));
  auto chunks =
      tests::msg_frame(9, 0, batch("firstBatch", 0, {chunk_document(0, "abcd"), chunk_document(1, "ef")}));
  EXPECT_EQ(tests::allocations_once_warm([&] {
              out_.clear();
              download_.set({.database = "t", .id = {BSON_TYPE_OID, oid}}, sink);
              download_.start(out_);
              for (auto* reply : {&file, &chunks}) {
                std::memcpy(reply->data() + 8, out_.segments()[0].data() + 4, 4);  // responseTo
                out_.clear();
                download_.on_frame(*reply, out_);
              }
            }),
            0u);
  EXPECT_EQ(sink.size, 100u * 6);
}

}  // namespace
}  // namespace codecs::mongo
