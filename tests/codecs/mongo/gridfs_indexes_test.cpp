#include "codecs/mongo/gridfs_indexes.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/support/codec_checks.hpp"
#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

namespace codecs::mongo {
namespace {

using tests::bson;

constexpr const char* nothing = R"({"cursor": {"firstBatch": [], "id": 0}, "ok": 1})";
constexpr const char* id_index = R"({"cursor": {"firstBatch": [{"key": {"_id": 1}}], "id": 0}, "ok": 1})";
constexpr const char* no_collection = R"({"ok": 0, "code": 26, "errmsg": "ns does not exist"})";

class MongoGridFsIndexes : public testing::Test {
 protected:
  void start() {
    indexes_.set("t", "fs");
    ASSERT_EQ(indexes_.start(out_), progress::more);
  }
  progress answer(const char* json) {
    const auto asked = tests::id_of(tests::flatten(out_));
    out_.clear();
    return indexes_.on_frame(tests::msg_frame(9, asked, bson(json)), out_);
  }
  std::string asked() { return tests::open_msg(tests::flatten(out_)).body; }

  request_ids ids_;
  gridfs_indexes indexes_{ids_};
  wire::gather_buffer out_;
};

TEST_F(MongoGridFsIndexes, AreNotLookedForInABucketWithFiles) {
  start();
  EXPECT_EQ(asked(),
            R"({ "find" : "fs.files", "projection" : { "_id" : 1 }, "limit" : 1, "singleBatch" : true, )"
            R"("$db" : "t" })");
  EXPECT_EQ(answer(R"({"cursor": {"firstBatch": [{"_id": 5}], "id": 0}, "ok": 1})"), progress::done);
  EXPECT_EQ(indexes_.created(), 0);
}

TEST_F(MongoGridFsIndexes, AreMadeInAnEmptyBucket) {
  start();
  ASSERT_EQ(answer(nothing), progress::more);
  EXPECT_EQ(asked(), R"({ "listIndexes" : "fs.files", "$db" : "t" })");
  ASSERT_EQ(answer(no_collection), progress::more);
  EXPECT_EQ(
      asked(),
      R"({ "createIndexes" : "fs.files", "indexes" : [ { "key" : { "filename" : 1, "uploadDate" : 1 }, )"
      R"("name" : "filename_1_uploadDate_1" } ], "$db" : "t" })");
  ASSERT_EQ(answer(R"({"ok": 1})"), progress::more);
  EXPECT_EQ(asked(), R"({ "listIndexes" : "fs.chunks", "$db" : "t" })");
  ASSERT_EQ(answer(id_index), progress::more);
  EXPECT_EQ(asked(),
            R"({ "createIndexes" : "fs.chunks", "indexes" : [ { "key" : { "files_id" : 1, "n" : 1 }, )"
            R"("name" : "files_id_1_n_1", "unique" : true } ], "$db" : "t" })");
  EXPECT_EQ(answer(R"({"ok": 1})"), progress::done);
  EXPECT_EQ(indexes_.created(), 2);
  EXPECT_EQ(indexes_.take_frames_sent(), 5u);
}

TEST_F(MongoGridFsIndexes, AreLeftAsTheyAre) {
  start();
  ASSERT_EQ(answer(nothing), progress::more);
  ASSERT_EQ(
      answer(R"({"cursor": {"firstBatch": [{"key": {"_id": 1}}, {"key": {"filename": 1.0, "uploadDate": 1}}],
                                  "id": 0}, "ok": 1})"),
      progress::more);
  EXPECT_EQ(asked(), R"({ "listIndexes" : "fs.chunks", "$db" : "t" })");
  EXPECT_EQ(
      answer(R"({"cursor": {"firstBatch": [{"key": {"files_id": {"$numberLong": "1"}, "n": 1.0}}], "id": 0},
                       "ok": 1})"),
      progress::done);
  EXPECT_EQ(indexes_.created(), 0);
}

TEST_F(MongoGridFsIndexes, AServersErrorEndsIt) {
  start();
  EXPECT_EQ(answer(no_collection), progress::failed) << "a find on a collection that does not exist succeeds";
  start();
  ASSERT_EQ(answer(nothing), progress::more);
  EXPECT_EQ(answer(R"({"ok": 0, "code": 13, "errmsg": "not allowed"})"), progress::failed);
  EXPECT_EQ(indexes_.server_code(), 13);
  start();
  ASSERT_EQ(answer(nothing), progress::more);
  ASSERT_EQ(answer(no_collection), progress::more);
  EXPECT_EQ(answer(R"({"ok": 0, "code": 26, "errmsg": "odd"})"), progress::failed);
  start();
  EXPECT_EQ(answer(R"({"ok": 1})"), progress::failed);
  EXPECT_STREQ(indexes_.why().cause.field, "cursor");
}

TEST(MongoIndexKey, IsComparedNumberByNumber) {
  constexpr std::string_view names[] = {"a", "b"};
  EXPECT_TRUE(same_key(bson(R"({"a": 1, "b": 1.0})"), names));
  for (const char* other : {R"({"a": 1})", R"({"b": 1, "a": 1})", R"({"a": 1, "b": -1})",
                            R"({"a": 1, "b": "1"})", R"({"a": 1, "b": 1, "c": 1})", R"({})"}) {
    EXPECT_FALSE(same_key(bson(other), names)) << other;
  }
  EXPECT_FALSE(same_key({}, names));
}

}  // namespace
}  // namespace codecs::mongo
