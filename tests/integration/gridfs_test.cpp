// GridFS with other people's clients and servers on the other side: pymongo and libmongoc, the servers of mongo_server.hpp, and
// the null server.

#include "wire/mongo/gridfs.hpp"

#include "bench/drivers/libmongoc_client.hpp"

#include "fixtures/null_files.hpp"
#include "fixtures/venv.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/fixtures/comparing_sink.hpp"
#include "tests/integration/made_content.hpp"
#include "tests/integration/mongo_server.hpp"
#include "tests/integration/output.hpp"
#include "tools/peers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <memory>
#include <optional>
#include <stdexcept>

namespace tests {
namespace {

using codecs::errc;
using codecs::mongo::document;
using codecs::mongo::id_value;

/// A text as the value of an `_id`.
class text_id {
 public:
  explicit text_id(const std::string& text) { BSON_APPEND_UTF8(holder_.get(), "", text.c_str()); }
  id_value value() const { return id_value::of(*codecs::mongo::lookup(holder_.view(), "")); }

 private:
  document holder_;
};

std::vector<std::size_t> edges(std::size_t chunk_bytes) {
  return {0, 1, chunk_bytes - 1, chunk_bytes, chunk_bytes + 1, 2 * chunk_bytes};
}

constexpr const char* indexes =
    "indexes: _id_ filename_1_uploadDate_1\n"
    "indexes: _id_ files_id_1_n_1\n";

template <typename T>
struct argument_of;
template <typename T>
struct argument_of<void (*)(T*)> {
  using type = T;
};

/// What libmongoc made, until it is destroyed.
template <auto Destroy>
using handle =
    std::unique_ptr<typename argument_of<decltype(Destroy)>::type, bench::drivers::destroy<Destroy>>;

/// Libmongoc's bucket. An error fails the test.
class libmongoc {
 public:
  explicit libmongoc(const std::string& uri) : client_(bench::drivers::open_client(uri, patience)) {
    if (!client_.ok()) throw std::runtime_error(std::string(client_.status().message()));
    database_.reset(mongoc_client_get_database(client_->get(), "wirebench"));
  }

  void write(const std::string& name, std::string content, std::size_t chunk_bytes) {
    const auto bucket = open(chunk_bytes);
    const auto id = value_of(name);
    const handle<mongoc_stream_destroy> stream(mongoc_gridfs_bucket_open_upload_stream_with_id(
        bucket.get(), &id, (name + ".bin").c_str(), nullptr, &error_));
    ASSERT_NE(stream, nullptr) << error_.message;
    if (!content.empty()) {
      EXPECT_EQ(mongoc_stream_write(stream.get(), content.data(), content.size(), 0),
                static_cast<ssize_t>(content.size()));
    }
    EXPECT_EQ(mongoc_stream_close(stream.get()), 0);
    EXPECT_FALSE(mongoc_gridfs_bucket_stream_error(stream.get(), &error_)) << error_.message;
  }

  /// With room for `size` bytes and more.
  std::string read(const std::string& name, std::size_t size) {
    const auto bucket = open(255 * 1024);
    const auto id = value_of(name);
    const handle<mongoc_stream_destroy> stream(
        mongoc_gridfs_bucket_open_download_stream(bucket.get(), &id, &error_));
    if (stream == nullptr) return error_.message;
    std::string content(size + 1, '\0');
    std::size_t got = 0;
    for (;;) {
      const auto more = mongoc_stream_read(stream.get(), content.data() + got, content.size() - got, 1, 0);
      if (more <= 0) break;
      got += static_cast<std::size_t>(more);
    }
    if (mongoc_gridfs_bucket_stream_error(stream.get(), &error_)) return error_.message;
    content.resize(got);
    return content;
  }

 private:
  handle<mongoc_gridfs_bucket_destroy> open(std::size_t chunk_bytes) {
    document options;
    BSON_APPEND_INT32(options.get(), "chunkSizeBytes", static_cast<std::int32_t>(chunk_bytes));
    return handle<mongoc_gridfs_bucket_destroy>(
        mongoc_gridfs_bucket_new(database_.get(), options.get(), nullptr, &error_));
  }

  static bson_value_t value_of(const std::string& name) {
    bson_value_t id{};
    id.value_type = BSON_TYPE_UTF8;
    id.value.v_utf8.str = const_cast<char*>(name.c_str());
    id.value.v_utf8.len = static_cast<std::uint32_t>(name.size());
    return id;
  }

  absl::StatusOr<bench::drivers::libmongoc_client> client_;
  handle<mongoc_database_destroy> database_;
  bson_error_t error_{};
};

class GridFsOn : public MongoServer {
 protected:
  void SetUp() override {
    MongoServer::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    bucket_.emplace(client(), "wirebench");
    ASSERT_FALSE(bucket().make_indexes()) << bucket().why();
  }

  wire::mongo::gridfs& bucket() { return *bucket_; }

  void upload(const std::string& name, std::size_t length, std::size_t chunk_bytes, std::size_t batch) {
    const auto bytes = made_content(length);
    text_source source(bytes);
    const text_id id(name);
    ASSERT_FALSE(bucket().upload({.id = id.value(),
                                  .filename = name + ".bin",
                                  .metadata = {},
                                  .chunk_bytes = static_cast<std::int64_t>(chunk_bytes),
                                  .batch = batch},
                                 source))
        << bucket().why();
    EXPECT_EQ(source.released, source.taken);
  }

  std::string download(const std::string& name, std::int32_t batch = 0) {
    text_sink sink;
    const text_id id(name);
    EXPECT_FALSE(bucket().download({.id = id.value(), .batch = batch}, sink))
        << name << ": " << bucket().why();
    return sink.text;
  }

  static std::string pymongo(const char* mode, const std::string& prefix, std::size_t chunk_bytes,
                             const std::vector<std::size_t>& lengths) {
    const auto& version = GetParam().pymongo;
    const auto venv = fixtures::install_venv("pymongo-" + version, {"pymongo==" + version});
    if (!venv.ok()) {
      ADD_FAILURE() << venv.status();
      return {};
    }
    std::vector<std::string> line{
        *venv + "/bin/python",      INTEGRATION_FOLDER "/pymongo_gridfs.py", mode, uri(), prefix,
        std::to_string(chunk_bytes)};
    for (const auto length : lengths) line.push_back(std::to_string(length));
    return output_of(line);
  }

  /// What pymongo prints of files that are as they should be.
  static std::string told(const std::string& prefix, std::size_t chunk_bytes,
                          const std::vector<std::size_t>& lengths) {
    std::string all;
    for (const auto length : lengths) {
      all += fmt::format("{0}-{1}: {1} bytes in {2} chunks of {3}, {4}, {0}-{1}.bin, None, True\n", prefix,
                         length, (length + chunk_bytes - 1) / chunk_bytes, chunk_bytes,
                         sha256_of(made_content(length)));
    }
    return all + indexes;
  }

 private:
  std::optional<wire::mongo::gridfs> bucket_;
};

constexpr std::size_t chunk_sizes[] = {1000, 255 * 1024};
constexpr std::size_t large = 50 * 1024 * 1024;

TEST_P(GridFsOn, OthersReadWhatIsWritten) {
  libmongoc other(uri());
  for (const auto chunk_bytes : chunk_sizes) {
    const auto prefix = fmt::format("raw-{}", chunk_bytes);
    std::size_t batch = 0;
    for (const auto length : edges(chunk_bytes)) {
      const auto name = fmt::format("{}-{}", prefix, length);
      upload(name, length, chunk_bytes, batch++ % 3);
      EXPECT_TRUE(other.read(name, length) == made_content(length)) << name;
    }
    EXPECT_EQ(pymongo("read", prefix, chunk_bytes, edges(chunk_bytes)),
              told(prefix, chunk_bytes, edges(chunk_bytes)));
  }
}

TEST_P(GridFsOn, ReadsWhatOthersWrite) {
  libmongoc other(uri());
  for (const auto chunk_bytes : chunk_sizes) {
    const auto prefix = fmt::format("py-{}", chunk_bytes);
    std::string expected;
    for (const auto length : edges(chunk_bytes)) expected += fmt::format("written: {}-{}\n", prefix, length);
    ASSERT_EQ(pymongo("write", prefix, chunk_bytes, edges(chunk_bytes)), expected + indexes);
    for (const auto length : edges(chunk_bytes)) {
      const auto batch = static_cast<std::int32_t>(length % 3);
      EXPECT_TRUE(download(fmt::format("{}-{}", prefix, length), batch) == made_content(length)) << length;
      const auto name = fmt::format("c-{}-{}", chunk_bytes, length);
      other.write(name, made_content(length), chunk_bytes);
      EXPECT_TRUE(download(name, batch) == made_content(length)) << name;
    }
  }
}

TEST_P(GridFsOn, ReadsManyBatches) {
  upload("many", 100'001, 100, 0);
  EXPECT_TRUE(download("many", 64) == made_content(100'001));
  EXPECT_EQ(bucket().downloaded().get_mores(), 15u) << "1,001 chunks, 64 at a time";
}

TEST_P(GridFsOn, ADuplicateIdIsRefusedAndItsChunksStay) {
  upload("twice", 2500, 1000, 0);
  const auto bytes = made_content(2500);
  text_source source(bytes);
  const text_id id("twice");
  const codecs::mongo::gridfs_upload_command again{
      .id = id.value(), .filename = "f", .metadata = {}, .chunk_bytes = 1000};
  EXPECT_EQ(bucket().upload(again, source), make_error_code(errc::remote_server_error));
  EXPECT_NE(bucket().why().find("chunk 0 of 3: "), std::string::npos) << bucket().why();
  EXPECT_TRUE(download("twice") == made_content(2500)) << "the connection goes on";
}

TEST_P(GridFsOn, AMissingChunkIsNamedAndTheConnectionGoesOn) {
  upload("torn", 50'000, 100, 0);
  document filter;
  BSON_APPEND_UTF8(filter.get(), "files_id", "torn");
  BSON_APPEND_INT32(filter.get(), "n", 150);
  document statement;
  build(statement, codecs::mongo::remove_statement{.filter = filter.view()});
  const auto view = statement.view();
  ASSERT_FALSE(
      client().remove({.database = "wirebench", .collection = "fs.chunks", .statements = {&view, 1}}));

  text_sink sink;
  const text_id id("torn");
  EXPECT_EQ(bucket().download({.id = id.value(), .batch = 100}, sink),
            make_error_code(errc::remote_bad_file));
  EXPECT_NE(bucket().why().find("chunk 150 of 500 is missing, chunk 151 follows"), std::string::npos)
      << bucket().why();
  EXPECT_TRUE(sink.text == made_content(15'000));
  EXPECT_EQ(bucket().downloaded().get_mores(), 1u) << "nothing is asked for behind the gap";

  ASSERT_FALSE(bucket().remove(id.value())) << bucket().why();
  EXPECT_EQ(bucket().download({.id = id.value()}, sink), make_error_code(errc::remote_bad_file));
  EXPECT_EQ(bucket().remove(id.value()), make_error_code(errc::remote_bad_file));
}

// Every damage in a file of five chunks; no byte is delivered from where it begins, and the connection goes on.
TEST_P(GridFsOn, DamageIsNamedAndTheConnectionGoesOn) {
  struct damage {
    const char* collection;
    const char* change;  ///< extended JSON, of chunk 2 or the file
    const char* complaint;
    std::size_t delivered;
  };
  const damage each[] = {
      {"fs.chunks", R"({"$set": {"data": "YWJj"}})", "chunk 2 of 5: BSON type 2 where binary", 200},
      {"fs.chunks", R"({"$set": {"data": {"$binary": {"base64": "YWJj", "subType": "00"}}}})",
       "chunk 2 of 5: 3 bytes where 100 were expected", 200},
      {"fs.chunks", R"({"$set": {"n": 7}})", "chunk 2 of 5 is missing, chunk 3 follows", 200},
      {"fs.files", R"({"$set": {"length": 450}})", "chunk 4 of 5: 100 bytes where 50 were expected", 400},
      {"fs.files", R"({"$set": {"length": 300}})", "chunk 3 is there, of a file of 3 chunks", 300},
      {"fs.files", R"({"$set": {"length": 600}})", "chunk 5 of 6 is missing, as are all behind it", 500},
      {"fs.files", R"({"$set": {"chunkSize": 0}})", "chunkSize", 0}};
  for (const auto& [collection, change, complaint, delivered] : each) {
    const std::string name = std::string("damaged: ") + change;
    upload(name, 500, 100, 0);
    const bool is_file = std::string_view(collection) == "fs.files";
    document filter;
    BSON_APPEND_UTF8(filter.get(), is_file ? "_id" : "files_id", name.c_str());
    if (!is_file) BSON_APPEND_INT32(filter.get(), "n", 2);
    bson_error_t error{};
    bson_t changed;
    ASSERT_TRUE(bson_init_from_json(&changed, change, -1, &error)) << error.message;
    document statement;
    build(statement, codecs::mongo::update_statement{.filter = filter.view(),
                                                     .change = {bson_get_data(&changed), changed.len}});
    bson_destroy(&changed);
    const auto view = statement.view();
    ASSERT_FALSE(
        client().update({.database = "wirebench", .collection = collection, .statements = {&view, 1}}));
    ASSERT_EQ(client().updated().matched, 1) << name;

    text_sink sink;
    const text_id id(name);
    EXPECT_EQ(bucket().download({.id = id.value(), .batch = 2}, sink), make_error_code(errc::remote_bad_file))
        << name;
    EXPECT_NE(bucket().why().find(complaint), std::string::npos) << bucket().why();
    EXPECT_EQ(sink.text, made_content(500).substr(0, delivered)) << name;
  }
}

TEST_P(GridFsOn, AFailedUploadLeavesChunksThatCanBeRemoved) {
  const auto bytes = made_content(5000);
  text_source source(bytes);
  source.good = 3;
  const text_id id("half");
  EXPECT_EQ(bucket().upload({.id = id.value(), .filename = "f", .metadata = {}, .chunk_bytes = 1000}, source),
            make_error_code(errc::local_payload));
  EXPECT_EQ(bucket().stored(), 3);
  ASSERT_FALSE(bucket().remove_chunks(id.value())) << bucket().why();
  EXPECT_EQ(client().removed().removed, 3);
  upload("half", 5000, 1000, 1);
  EXPECT_TRUE(download("half") == made_content(5000));
}

// The last, because FerretDB goes through all chunks for each request.
TEST_P(GridFsOn, MovesFiftyMebibytesBothWays) {
  upload(fmt::format("raw-{}", large), large, 255 * 1024, 16);
  const auto sum = sha256_of(made_content(large));
  EXPECT_EQ(sha256_of(download(fmt::format("raw-{}", large))), sum);
  ASSERT_EQ(pymongo("write", "py", 255 * 1024, {large}), fmt::format("written: py-{}\n{}", large, indexes));
  EXPECT_EQ(sha256_of(download(fmt::format("py-{}", large))), sum);
  if (GetParam().name == "MongoJavaServer") {
    // When nothing bounds the batch, as drivers do not, it puts all 206 chunks into one reply of 52,442,266 bytes.
    text_sink sink;
    const text_id id(fmt::format("raw-{}", large));
    EXPECT_EQ(bucket().download({.id = id.value(), .batch = 1000}, sink),
              make_error_code(errc::remote_bad_length));
    EXPECT_EQ(bucket().why(), "the peer sent an impossible length (messageLength is over 48,000,000)");
    EXPECT_TRUE(sink.text.empty());
    return;
  }
  EXPECT_EQ(sha256_of(libmongoc(uri()).read(fmt::format("raw-{}", large), large)), sum);
  EXPECT_EQ(pymongo("read", "raw", 255 * 1024, {large}), told("raw", 255 * 1024, {large}));
}

INSTANTIATE_TEST_SUITE_P(Each, GridFsOn, mongo_servers(), MongoServer::name_of);

/// The null server, which has files of any size and keeps none.
class GridFsOnNullServer : public testing::Test {
 protected:
  void SetUp() override {
    auto started = tools::start_null(wire::protocol::mongo, 0);
    ASSERT_TRUE(started.ok()) << started.status();
    peer_ = *std::move(started);
  }

  std::unique_ptr<bench::peer> peer_;
};

// 3 GiB and a byte, both ways: 12,337 chunks, of which the last is short. Memory does not grow with the file.
TEST_F(GridFsOnNullServer, MovesThreeGibibytes) {
  constexpr std::int64_t length = 3'221'225'473;
  wire::watchdog dog{patience};
  wire::mongo::client client{connect(peer_->tcp_uri()), &dog};
  ASSERT_FALSE(client.hello()) << client.why();
  wire::mongo::gridfs bucket(client, "wirebench");
  const std::vector<std::uint8_t> block(255 * 1024);
  sparse_source source(length, block);
  const auto id = bucket.new_id();
  ASSERT_FALSE(
      bucket.upload({.id = {BSON_TYPE_OID, id}, .filename = "f", .metadata = {}, .batch = 16}, source))
      << bucket.why();
  EXPECT_EQ(bucket.stored(), 12'337);
  EXPECT_GT(client.channel().counters().bytes_out, static_cast<std::uint64_t>(length));

  fixtures::comparing_sink sink;
  const text_id file("3221225473x261120");
  ASSERT_FALSE(bucket.download({.id = file.value()}, sink)) << bucket.why();
  EXPECT_EQ(sink.size, static_cast<std::size_t>(length));
  EXPECT_TRUE(sink.same);
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  EXPECT_LT(used.ru_maxrss, 1024 * 1024) << "KiB, at most";
}

// Libmongoc reads a synthetic file to its end, by the bucket and by the older API; both read the files document first.
TEST_F(GridFsOnNullServer, LibmongocReadsAndWrites) {
  const auto whole = [](std::string_view got) {
    const auto expected = fixtures::null_file_content();
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (static_cast<std::uint8_t>(got[i]) != expected[i % expected.size()]) return false;
    }
    return got.size() == 3'000'001;
  };
  constexpr const char* name = "3000001x100000";
  const auto client = bench::drivers::open_client(peer_->tcp_uri(), patience);
  ASSERT_TRUE(client.ok()) << client.status();
  const handle<mongoc_database_destroy> database(mongoc_client_get_database(client->get(), "wirebench"));
  const handle<mongoc_gridfs_bucket_destroy> bucket(
      mongoc_gridfs_bucket_new(database.get(), nullptr, nullptr, nullptr));
  bson_error_t error{};
  bson_value_t id{};
  id.value_type = BSON_TYPE_UTF8;
  id.value.v_utf8.str = const_cast<char*>(name);
  id.value.v_utf8.len = static_cast<std::uint32_t>(std::string_view(name).size());
  std::string buffer(4'000'000, '\0');

  const handle<mongoc_stream_destroy> reading(
      mongoc_gridfs_bucket_open_download_stream(bucket.get(), &id, &error));
  ASSERT_NE(reading, nullptr) << error.message;
  EXPECT_EQ(mongoc_stream_read(reading.get(), buffer.data(), buffer.size(), 1, 0), 3'000'001);
  EXPECT_TRUE(whole(std::string_view(buffer).substr(0, 3'000'001)));

  const handle<mongoc_gridfs_destroy> older(
      mongoc_client_get_gridfs(client->get(), "wirebench", nullptr, &error));
  ASSERT_NE(older, nullptr) << error.message;
  const handle<mongoc_gridfs_file_destroy> file(
      mongoc_gridfs_find_one_by_filename(older.get(), name, &error));
  ASSERT_NE(file, nullptr) << error.message;
  EXPECT_EQ(mongoc_gridfs_file_get_length(file.get()), 3'000'001);
  mongoc_iovec_t piece{buffer.data(), buffer.size()};
  EXPECT_EQ(mongoc_gridfs_file_readv(file.get(), &piece, 1, 3'000'001, 0), 3'000'001)
      << (mongoc_gridfs_file_error(file.get(), &error) ? error.message : "");
  EXPECT_TRUE(whole(std::string_view(buffer).substr(0, 3'000'001)));

  const handle<mongoc_stream_destroy> writing(
      mongoc_gridfs_bucket_open_upload_stream(bucket.get(), "f", nullptr, nullptr, &error));
  ASSERT_NE(writing, nullptr) << error.message;
  EXPECT_EQ(mongoc_stream_write(writing.get(), buffer.data(), 1'000'000, 0), 1'000'000);
  EXPECT_EQ(mongoc_stream_close(writing.get()), 0);
  EXPECT_FALSE(mongoc_gridfs_bucket_stream_error(writing.get(), &error)) << error.message;
}

}  // namespace
}  // namespace tests
