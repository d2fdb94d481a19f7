// Every decoder and both conversations on frames that were valid once. Under ASan and UBSan this looks for
// reads past the frame; everywhere it checks what holds for any input: a decoder answers with a named fault
// or with views inside the frame, and a trace is one line.

#include "codecs/mongo/cursor.hpp"
#include "codecs/mongo/gridfs_download.hpp"
#include "codecs/mongo/gridfs_indexes.hpp"
#include "codecs/mongo/gridfs_upload.hpp"
#include "codecs/mongo/hello.hpp"
#include "codecs/mongo/insert.hpp"
#include "codecs/mongo/op_query.hpp"
#include "codecs/mongo/remove.hpp"
#include "codecs/mongo/trace.hpp"
#include "codecs/mongo/update.hpp"

#include "wire/strategy/gather.hpp"

#include "fixtures/null_mongo.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/direct.hpp"
#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>

namespace codecs::mongo {
namespace {

using tests::bson;
using tests::bytes;
using tests::hex;
using tests::msg_frame;

constexpr int mutations = 20'000;

std::vector<bytes> valid_frames() {
  return {
      msg_frame(1, 0, bson(R"({"ping": 1, "$db": "admin"})")),
      hex(R"(37000000 01000000 00000000 dd070000 01000000 00
             1e000000 10 70696e6700 01000000 02 24646200 06000000 61646d696e00 00 327e69a8)"),
      hex(R"(50000000 02000000 00000000 dd070000 00000000
             01 1c000000 646f63756d656e747300 0e000000 10 5f696400 01000000 00
             00 1e000000 02 696e7365727400 02000000 6300 02 24646200 02000000 7400 00)"),
      hex(R"(44000000 03000000 00000000 d4070000 04000000 61646d696e2e24636d6400 00000000 ffffffff
             1d000000 10 69734d617374657200 01000000 08 68656c6c6f4f6b00 01 00)"),
      hex(R"(35000000 09000000 01000000 01000000 08000000 0000000000000000 00000000 01000000
             11000000 01 6f6b00 000000000000f03f 00)"),
      msg_frame(4, 0,
                bson(R"({"find": "c", "filter": {"_id": {"$eq": {"$code": "x", "$scope": {"y": [1, 2]}}}},
                               "limit": 1, "batchSize": 0, "$db": "t"})")),
      msg_frame(5, 0, bson(R"({"getMore": {"$numberLong": "1"}, "collection": "c", "$db": "t"})")),
      msg_frame(6, 0, bson(R"({"killCursors": "c", "cursors": [{"$numberLong": "1"}], "$db": "t"})")),
      msg_frame(7, 0, bson(R"({"listIndexes": "c", "$db": "t"})")),
      hex(R"(70000000 02000000 00000000 dd070000 00000000
             00 1e000000 02 75706461746500 02000000 6300 02 24646200 02000000 7400 00
             01 3c000000 7570646174657300 30000000 03 7100 0e000000 10 5f696400 01000000 00
                03 7500 17000000 03 2473657400 0c000000 10 6100 02000000 00 00 00)"),
      msg_frame(
          8, 0,
          bson(
              R"({"delete": "c", "deletes": [{"q": {"_id": {"$in": [1, 2, "a"]}}, "limit": 0}], "$db": "t"})")),
      msg_frame(9, 0,
                bson(R"({"find": "c", "filter": {"_id": {"$in": [1, {"$oid": "0102030405060708090a0b0c"}]}},
                         "batchSize": 1, "$db": "t"})")),
      msg_frame(
          10, 0,
          bson(R"({"find": "c", "filter": {"_id": {"$gte": 5, "$lt": 900}}, "limit": 300, "$db": "t"})")),
      msg_frame(9, 1, bson(R"({"n": 2, "nModified": 1, "upserted": [{"index": 0, "_id": 7}], "ok": 1.0})")),
      msg_frame(9, 1,
                bson(R"({"cursor": {"firstBatch": [{"_id": 1}, {}], "id": 7, "ns": "t.c"}, "ok": 1.0})")),
      msg_frame(9, 1, bson(R"({"n": 1, "ok": 1})")),
      msg_frame(
          9, 1,
          bson(
              R"({"cursor": {"firstBatch": [{"_id": 1, "length": 0, "chunkSize": 4.0}], "id": 0}, "ok": 1})")),
      msg_frame(
          9, 1,
          bson(
              R"({"cursor": {"firstBatch": [{"n": 0, "data": {"$binary": {"base64": "YWJjZA==", "subType": "02"}}},
                                                         {"n": 1, "data": {"$binary": {"base64": "ZWY=", "subType": "00"}}}],
                                          "id": 7}, "ok": 1})")),
      msg_frame(
          9, 1,
          bson(R"({"cursor": {"firstBatch": [{"key": {"files_id": 1, "n": 1.0}}], "id": 0}, "ok": 1})")),
      msg_frame(
          11, 0,
          bson(R"({"find": "fs.chunks", "filter": {"files_id": "50x10", "n": {"$gte": 2}}, "batchSize": 2,
                                "$db": "t"})")),
      msg_frame(12, 0, bson(R"({"find": "fs.files", "filter": {"filename": "50x10"}, "$db": "t"})")),
      msg_frame(9, 1,
                bson(R"({"n": 1, "writeErrors": [{"index": 0, "code": 1, "errmsg": "x"}], "ok": 1.0})")),
      msg_frame(9, 1, bson(R"({"maxBsonObjectSize": 1, "maxWireVersion": 21, "helloOk": true, "ok": 1})")),
      msg_frame(9, 1, bson(R"({"ok": 0, "code": 59, "codeName": "CommandNotFound", "errmsg": "no"})")),
  };
}

class mutator {
 public:
  // One to four changes; then, three times of four, a length that fits again, so that decoders get to see the
  // rest.
  bytes operator()(const bytes& frame) {
    bytes changed = frame;
    for (auto changes = 1 + pick(4); changes > 0; --changes) change(changed);
    if (changed.size() >= 4 && pick(4) != 0)
      store_le(changed.data(), static_cast<std::int32_t>(changed.size()));
    return changed;
  }

  std::size_t pick(std::size_t below) { return random_() % below; }

 private:
  void change(bytes& frame) {
    const auto at = frame.begin() + static_cast<std::ptrdiff_t>(pick(frame.size()));
    switch (pick(5)) {
      case 0:
        *at = static_cast<std::uint8_t>(random_());
        break;
      case 1:
        *at ^= static_cast<std::uint8_t>(1U << pick(8));
        break;
      case 2:
        frame.insert(at, static_cast<std::uint8_t>(random_()));
        break;
      case 3:
        if (frame.size() > 16) frame.erase(at);
        break;
      case 4: {  // a length or count at its edges
        constexpr std::int32_t edges[] = {-1, 0, 1, 4, 5, 0x7fffffff, -0x7fffffff - 1, 48'000'001};
        if (frame.end() - at >= 4) store_le(&*at, edges[pick(std::size(edges))]);
        break;
      }
    }
  }

  std::mt19937 random_{20261130};  // fixed: the same mutations in every run
};

struct checking_sink final : document_sink {
  bool take(bytes_view document) override {
    EXPECT_FALSE(check_document(document));
    return true;
  }
};

// What there is to talk to: one server, and each exchange with a request under way whose id is 1.
class parties {
 public:
  // The frame lies in a heap block of its size.
  void take(bytes_view frame) {
    check_views(frame);
    check_trace(frame);
    out_.clear();
    server_.on_frame(frame, out_);
    for (exchange* each : {static_cast<exchange*>(&command_), static_cast<exchange*>(&insert_),
                           static_cast<exchange*>(&update_), static_cast<exchange*>(&remove_),
                           static_cast<exchange*>(&find_), static_cast<exchange*>(&hello_),
                           static_cast<exchange*>(&query_hello_), static_cast<exchange*>(&upload_),
                           static_cast<exchange*>(&download_), static_cast<exchange*>(&indexes_)}) {
      show(*each, frame);
    }
    show_chunks(frame);
  }

 private:
  static bool inside(bytes_view frame, bytes_view part) {
    return part.empty() ||
           (part.data() >= frame.data() && part.data() + part.size() <= frame.data() + frame.size());
  }

  static void check_views(bytes_view frame) {
    op_msg message;
    const fault bad = decode(frame, message);
    if (bad) {
      EXPECT_STRNE(bad.field, "");
    } else {
      EXPECT_TRUE(inside(frame, message.body));
      for (const auto& sequence : message.sequences()) {
        EXPECT_TRUE(inside(frame, sequence.documents));
        document_cursor documents(sequence.documents);
        for (bytes_view document; documents.next(document);) check_statement(frame, document);
      }
      validate(message.body);
      hello_reply hello;
      decode(message.body, hello);
    }
    op_query query;
    if (!decode(frame, query)) {
      EXPECT_TRUE(inside(frame, query.query));
    }
    op_reply reply;
    if (!decode(frame, reply)) {
      EXPECT_TRUE(inside(frame, reply.documents));
    }
  }

  static void check_statement(bytes_view frame, bytes_view document) {
    if (validate(document)) return;
    update_statement update;
    if (!decode(document, update)) {
      EXPECT_TRUE(inside(frame, update.filter) && inside(frame, update.change));
    }
    remove_statement remove;
    if (!decode(document, remove)) {
      EXPECT_TRUE(inside(frame, remove.filter));
    }
  }

  static void check_trace(bytes_view frame) {
    for (const auto towards : {direction::to_server, direction::to_client}) {
      const auto line = trace(frame, towards);
      EXPECT_FALSE(line.empty());
      EXPECT_EQ(line.find('\n'), std::string::npos);
    }
  }

  void show(exchange& client, bytes_view frame) {
    ids_ = {};  // the next request is number 1, to which the valid replies respond
    command_.set("t", ping_);
    insert_.set({.database = "t", .collection = "c", .documents = documents_});
    update_.set({.database = "t", .collection = "c", .statements = documents_});
    remove_.set({.database = "t", .collection = "c", .statements = documents_});
    find_.set({.database = "t", .collection = "c", .filter = ping_}, sink_);
    source_ = payload_;
    upload_.set({.database = "t", .id = file_id_, .filename = "f", .metadata = {}, .chunk_bytes = 4},
                source_);
    download_.set({.database = "t", .id = file_id_}, chunks_);
    indexes_.set("t", "fs");
    out_.clear();
    ASSERT_EQ(client.start(out_), progress::more);
    if (client.on_frame(frame, out_) == progress::failed) {
      EXPECT_NE(client.why().sentence(), "");
    }
  }

  // The second reply of a download: of two chunks, the second of 2 bytes.
  void show_chunks(bytes_view frame) {
    const auto file = msg_frame(
        9, 1, bson(R"({"cursor": {"firstBatch": [{"length": 6, "chunkSize": 4}], "id": 0}, "ok": 1})"));
    ids_ = {};
    chunks_ = {};
    download_.set({.database = "t", .id = file_id_}, chunks_);
    out_.clear();
    ASSERT_EQ(download_.start(out_), progress::more);
    ids_ = {};
    ASSERT_EQ(download_.on_frame(file, out_), progress::more);
    const auto got = tests::receive_directly(download_, frame, 50);
    download_.on_frame(got.bytes, out_);
    EXPECT_LE(chunks_.text.size(), 6u) << "no byte beyond the file";
  }

  const bytes ping_ = bson(R"({"ping": 1})");
  const bytes_view documents_[1] = {ping_};
  const client_metadata metadata_{.driver = "d", .version = "1", .application = {}};
  const limits limits_{};
  fixtures::null_mongo server_;
  wire::gather_buffer out_;
  checking_sink sink_;
  request_ids ids_;
  command_exchange command_{ids_};
  insert_exchange insert_{ids_, limits_};
  update_exchange update_{ids_, limits_};
  remove_exchange remove_{ids_, limits_};
  find_exchange find_{ids_};
  const bytes seven_{7, 0, 0, 0};
  const id_value file_id_{BSON_TYPE_INT32, seven_};
  tests::text_source payload_{"abcdef"};
  tests::text_source source_{payload_};
  tests::text_sink chunks_;
  object_ids chunk_ids_{{}};
  gridfs_upload upload_{ids_, limits_, chunk_ids_, [] { return std::int64_t{0}; }};
  gridfs_download download_{ids_};
  gridfs_indexes indexes_{ids_};
  hello_exchange hello_{ids_, metadata_};
  hello_exchange query_hello_{ids_, metadata_, hello_exchange::opening::query};
};

TEST(MongoMutation, NoFrameIsReadPastItsEnd) {
  const auto frames = valid_frames();
  mutator mutate;
  parties all;
  int frames_seen = 0;
  for (int i = 0; i < mutations; ++i) {
    const bytes changed = mutate(frames[mutate.pick(frames.size())]);
    const auto block = std::make_unique<std::uint8_t[]>(changed.size());
    std::copy(changed.begin(), changed.end(), block.get());
    const auto found = scan({block.get(), changed.size()});
    if (found.size == 0) continue;
    ++frames_seen;
    const auto frame = std::make_unique<std::uint8_t[]>(found.size);
    std::copy_n(changed.begin(), found.size, frame.get());
    all.take({frame.get(), found.size});
  }
  EXPECT_GT(frames_seen, mutations / 2) << "most mutations never reach a decoder";
}

TEST(MongoMutation, TheValidFramesAreTaken) {
  parties all;
  for (const auto& frame : valid_frames()) {
    ASSERT_EQ(scan(frame).size, frame.size()) << tests::to_hex(frame);
    all.take(frame);
  }
}

}  // namespace
}  // namespace codecs::mongo
