// Whole files as large objects of a PostgreSQL that nobody here wrote: written by us and read by libpq, and the other way round.

#include "tests/integration/large_object_transfer.hpp"

#include "wire/strategy/memory_sink.hpp"

#include <libpq/libpq-fs.h>
#include <sys/socket.h>

#include <libpq-fe.h>

#include <fstream>
#include <iterator>

namespace tests {
namespace {

namespace lo = codecs::pg::large_object;
using codecs::errc;
using codecs::pg::oid;
using codecs::pg::transaction_status;

/// libpq's own large-object interface, each call in a transaction.
class libpq {
 public:
  explicit libpq(const std::string& uri) : connection_(PQconnectdb(uri.c_str()), PQfinish) {
    EXPECT_EQ(PQstatus(connection_.get()), CONNECTION_OK) << PQerrorMessage(connection_.get());
  }

  /// By lo_import, 8 KiB at a time.
  oid write(const std::string& file) {
    run("BEGIN");
    const auto object = lo_import(connection_.get(), file.c_str());
    EXPECT_NE(object, InvalidOid) << PQerrorMessage(connection_.get());
    run("COMMIT");
    return object;
  }

  /// By lo_export.
  void read(oid object, const std::string& file) {
    run("BEGIN");
    EXPECT_EQ(lo_export(connection_.get(), object, file.c_str()), 1) << PQerrorMessage(connection_.get());
    run("COMMIT");
  }

  /// By lo_read of one byte more than there should be.
  bytes read(oid object, std::size_t size) {
    bytes content(size + 1);
    run("BEGIN");
    const int descriptor = lo_open(connection_.get(), object, INV_READ);
    const int got =
        lo_read(connection_.get(), descriptor, reinterpret_cast<char*>(content.data()), content.size());
    EXPECT_GE(got, 0) << PQerrorMessage(connection_.get());
    run("COMMIT");
    content.resize(static_cast<std::size_t>(std::max(got, 0)));
    return content;
  }

 private:
  void run(const char* command) {
    const std::unique_ptr<PGresult, void (*)(PGresult*)> result(PQexec(connection_.get(), command), PQclear);
    EXPECT_EQ(PQresultStatus(result.get()), PGRES_COMMAND_OK) << PQerrorMessage(connection_.get());
  }

  std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

bytes content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class LargeObjectSize : public LargeObjectTransfer, public testing::WithParamInterface<std::size_t> {
 protected:
  const bytes content_ = fixtures::make_blob(GetParam() + 1, GetParam());
};

TEST_P(LargeObjectSize, IsToLibpqWhatWeUploadInOneTransaction) {
  libpq reader(uri());
  for (const std::size_t window : {std::size_t{1}, 3 * chunk_bytes / 2, std::size_t{1} << 30}) {
    text_source source(content_);
    ASSERT_FALSE(objects_.upload(source, {.chunk_bytes = chunk_bytes, .window_bytes = window}))
        << client_.why();
    EXPECT_EQ(source.released, source.taken);
    reader.read(objects_.object(), file());
    EXPECT_TRUE(content_of(file()) == content_);
    EXPECT_TRUE(reader.read(objects_.object(), content_.size()) == content_);
    std::int64_t size = -1;
    ASSERT_FALSE(objects_.measure(objects_.object(), size)) << client_.why();
    EXPECT_EQ(size, static_cast<std::int64_t>(content_.size()));
  }
}

TEST_P(LargeObjectSize, IsToLibpqWhatWeWriteByCallsInFlight) {
  libpq reader(uri());
  for (const std::size_t depth : {1, 16}) {
    ASSERT_FALSE(client_.query("BEGIN"));
    const auto object = static_cast<oid>(call(lo::lo_creat()));
    const auto descriptor = static_cast<std::int32_t>(call(lo::lo_open(object, lo::inv_write)));
    text_source source(content_);
    ASSERT_FALSE(objects_.write(descriptor, source, chunk_bytes, depth)) << client_.why();
    EXPECT_EQ(source.released, source.taken);
    ASSERT_FALSE(client_.query("COMMIT"));
    EXPECT_TRUE(reader.read(object, content_.size()) == content_);
  }
}

TEST_P(LargeObjectSize, IsToLibpqWhatWePut) {
  libpq reader(uri());
  for (const std::size_t window : {std::size_t{1}, std::size_t{1} << 30}) {
    const auto object = static_cast<oid>(call(lo::lo_creat()));
    text_source source(content_);
    ASSERT_FALSE(objects_.put(object, 0, source, {.chunk_bytes = chunk_bytes, .window_bytes = window}))
        << client_.why();
    EXPECT_EQ(source.released, source.taken);
    reader.read(object, file());
    EXPECT_TRUE(content_of(file()) == content_);
  }
}

TEST_P(LargeObjectSize, IsToUsWhatLibpqWrites) {
  std::ofstream(file(), std::ios::binary).write(reinterpret_cast<const char*>(content_.data()), GetParam());
  const auto object = libpq(uri()).write(file());
  const auto size = static_cast<std::int64_t>(content_.size());
  EXPECT_TRUE(download(object, size) == content_);

  ASSERT_FALSE(client_.query("BEGIN"));
  const auto descriptor = static_cast<std::int32_t>(call(lo::lo_open(object, lo::inv_read)));
  for (const std::size_t depth : {1, 16}) {
    call(lo::lo_lseek64(descriptor, 0, lo::whence::start));
    text_sink sink;
    ASSERT_FALSE(objects_.read(descriptor, sink, {size, chunk_bytes}, depth)) << client_.why();
    EXPECT_TRUE(sink.text == codecs::as_text(content_));
  }
  ASSERT_FALSE(client_.query("COMMIT"));
}

INSTANTIATE_TEST_SUITE_P(PostgreSql, LargeObjectSize,
                         testing::Values(0, 1, chunk_bytes - 1, chunk_bytes, chunk_bytes + 1, 2 * chunk_bytes,
                                         5'000'000));

// By psql's \lo_export and \lo_import.
TEST_F(LargeObjectTransfer, OfFiftyMebibytesIsToPsqlWhatWeUploadAndTheOtherWayRound) {
  constexpr std::int64_t size = 50 * 1024 * 1024;
  const auto content = fixtures::make_blob(9, size);
  const auto sum = sha256_of(codecs::as_text(content));
  text_source source(content);
  ASSERT_FALSE(objects_.upload(source, {.chunk_bytes = 512 * 1024})) << client_.why();
  psql(fmt::format("\\lo_export {} '{}'", objects_.object(), file()));
  EXPECT_EQ(sha256_of(codecs::as_text(content_of(file()))), sum);

  const auto imported = psql(fmt::format("\\lo_import '{}'", file()));
  ASSERT_EQ(imported.substr(0, 10), "lo_import ");
  wire::digest_sink sink;
  const auto object = static_cast<oid>(std::stoul(imported.substr(10)));
  ASSERT_FALSE(objects_.download(object, sink, {size, 512 * 1024})) << client_.why();
  EXPECT_EQ(sink.sha256(), sum);
}

// Many small rows, and pages that chunks tear: order and content are right.
TEST_F(LargeObjectTransfer, BySizesThatFitNoPageComesBackWhole) {
  const auto content = fixtures::make_blob(3, 300'000);
  for (const std::size_t chunk : {100, 3000, 8191}) {
    text_source source(content);
    ASSERT_FALSE(objects_.upload(source, {.chunk_bytes = chunk, .window_bytes = 20'000})) << client_.why();
    EXPECT_TRUE(download(objects_.object(), 300'000, chunk) == content);
  }
}

// 100 chunks: B and E for each, for create and for close, and one Sync; of the replies one is Z.
TEST_F(LargeObjectTransfer, IsOneRoundTrip) {
  const auto content = fixtures::make_blob(1, 100 * chunk_bytes);
  text_source source(content);
  const auto before = client_.channel().counters();
  ASSERT_FALSE(objects_.upload(source, {.chunk_bytes = chunk_bytes, .window_bytes = 1 << 30}))
      << client_.why();
  const auto& after = client_.channel().counters();
  EXPECT_EQ(after.frames_out - before.frames_out, 2 * 102 + 1u);
  EXPECT_EQ(after.frames_in - before.frames_in, 3 * 102 + 1u);
  EXPECT_EQ(after.bytes_out - before.bytes_out, 100 * (40 + chunk_bytes) + 2 * 36 + 5);
  EXPECT_EQ(after.bytes_in - before.bytes_in, 100 * 34 + 42 + 34 + 6u);
  EXPECT_LT(client_.channel().copied_bytes(), chunk_bytes);  // ends of replies that came in two reads
  EXPECT_EQ(client_.session().status, transaction_status::idle);
}

TEST_F(LargeObjectTransfer, IsReadInOneRoundTrip) {
  const auto content = fixtures::make_blob(1, 100 * chunk_bytes);
  text_source source(content);
  ASSERT_FALSE(objects_.upload(source, {.chunk_bytes = chunk_bytes})) << client_.why();
  const auto before = client_.channel().counters();
  EXPECT_TRUE(download(objects_.object(), 100 * chunk_bytes) == content);
  const auto& after = client_.channel().counters();
  EXPECT_EQ(after.frames_out - before.frames_out, 3u);
  EXPECT_EQ(after.frames_in - before.frames_in, 1 + 100 + 1 + 1u);
  EXPECT_EQ(after.bytes_in - before.bytes_in, 5 + 100 * (11 + chunk_bytes) + 16 + 6);
}

// Received directly, no byte of it is copied: by one query, and by calls in flight.
TEST_F(LargeObjectTransfer, LandsInItsPlace) {
  const auto content = fixtures::make_blob(1, 50 * chunk_bytes + 5'000);
  text_source source(content);
  ASSERT_FALSE(objects_.upload(source, {.chunk_bytes = chunk_bytes})) << client_.why();
  const codecs::chunk_layout layout{static_cast<std::int64_t>(content.size()), chunk_bytes};
  ASSERT_FALSE(client_.query("BEGIN"));
  const auto descriptor = static_cast<std::int32_t>(call(lo::lo_open(objects_.object(), lo::inv_read)));
  client_.channel().receive_directly();
  for (const std::size_t depth : {0, 1, 16}) {
    const auto copied = client_.channel().copied_bytes();
    bytes memory(content.size());
    wire::memory_sink sink(memory);
    if (depth == 0) {
      ASSERT_FALSE(objects_.download(objects_.object(), sink, layout)) << client_.why();
    } else {
      call(lo::lo_lseek64(descriptor, 0, lo::whence::start));
      ASSERT_FALSE(objects_.read(descriptor, sink, layout, depth)) << client_.why();
    }
    EXPECT_TRUE(memory == content);
    EXPECT_EQ(sink.counters().copied_bytes, 0u);
    EXPECT_LE(client_.channel().copied_bytes() - copied, 52 * 64u) << "heads that the buffer has moved";
  }
}

TEST_F(LargeObjectTransfer, GetsTheOidThatIsAskedForOnce) {
  text_source source(codecs::as_bytes("abc"));
  ASSERT_FALSE(objects_.upload(source, {.object = 4'000'000'000})) << client_.why();
  EXPECT_EQ(objects_.object(), 4'000'000'000);
  text_source second(codecs::as_bytes("abc"));
  EXPECT_EQ(objects_.upload(second, {.object = 4'000'000'000}), errc::remote_server_error);
  EXPECT_NE(client_.why().find("create: ERROR"), std::string::npos) << client_.why();
  EXPECT_EQ(client_.session().sqlstate, "23505");
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

// A statement of the same name that fails at a chunk whose first byte is 7.
// Each call of those in flight is answered by 25P02 and a Z of its own; the first error is what is told.
// Case C26, for both ways: judged by the last Z, before any byte is sent.
// The descriptor of an upload does not live on.
// Case C23. The object is sparse.
TEST_F(LargeObjectTransfer, Past2GiBIsWrittenAndReadAtItsPlace) {
  ASSERT_FALSE(client_.query("BEGIN"));
  const auto object = static_cast<oid>(call(lo::lo_creat()));
  const auto descriptor = static_cast<std::int32_t>(call(lo::lo_open(object, lo::inv_write)));
  constexpr std::int64_t start = 2'147'483'648;
  EXPECT_EQ(call(lo::lo_lseek64(descriptor, start, lo::whence::start)), start);
  const auto content = fixtures::make_blob(1, 100'001);
  text_source source(content);
  ASSERT_FALSE(objects_.write(descriptor, source, chunk_bytes, 4)) << client_.why();
  EXPECT_EQ(call(lo::lo_tell64(descriptor)), start + 100'001);

  EXPECT_EQ(call(lo::lo_lseek64(descriptor, start - 10, lo::whence::start)), start - 10);
  text_sink sink;
  ASSERT_FALSE(objects_.read(descriptor, sink, {100'011, chunk_bytes}, 2)) << client_.why();
  auto expected = bytes(10, 0);
  expected.insert(expected.end(), content.begin(), content.end());
  EXPECT_TRUE(sink.text == codecs::as_text(expected));
  EXPECT_EQ(call(lo::lo_close(descriptor)), 0);
  ASSERT_FALSE(client_.query("COMMIT"));

  std::int64_t size = 0;
  ASSERT_FALSE(objects_.measure(object, size)) << client_.why();
  EXPECT_EQ(size, start + 100'001);
}

// Case C23, without a descriptor; what was there is overwritten where it is met, and stays else.
TEST_F(LargeObjectTransfer, Past2GiBIsPutAtItsPlace) {
  const auto object = static_cast<oid>(call(lo::lo_creat()));
  constexpr std::int64_t start = 2'147'483'648 - 1000;
  const auto content = fixtures::make_blob(1, 100'001);
  text_source source(content);
  ASSERT_FALSE(objects_.put(object, start, source, {.chunk_bytes = 10'000})) << client_.why();
  std::int64_t size = 0;
  ASSERT_FALSE(objects_.measure(object, size)) << client_.why();
  EXPECT_EQ(size, start + 100'001);
  const auto sum = fmt::format("SELECT encode(sha256(lo_get({}, {}, 200000)), 'hex')", object, start);
  EXPECT_EQ(ask(sum), sha256_of(codecs::as_text(content)));

  const auto patch = fixtures::make_blob(2, 3);
  text_source three(patch);
  ASSERT_FALSE(objects_.put(object, start + 50'000, three, {.chunk_bytes = 2})) << client_.why();
  auto patched = content;
  std::ranges::copy(patch, patched.begin() + 50'000);
  EXPECT_EQ(ask(sum), sha256_of(codecs::as_text(patched)));
}

// Case C26 the other way round: no descriptor, and so no transaction block is needed, nor in the way.
TEST_F(LargeObjectTransfer, IsPutInATransactionBlockToo) {
  const auto object = static_cast<oid>(call(lo::lo_creat()));
  ASSERT_FALSE(client_.query("BEGIN"));
  text_source source(codecs::as_bytes("abc"));
  ASSERT_FALSE(objects_.put(object, 0, source, {})) << client_.why();
  EXPECT_EQ(client_.session().status, transaction_status::open);
  ASSERT_FALSE(client_.query("ROLLBACK"));
  std::int64_t size = -1;
  ASSERT_FALSE(objects_.measure(object, size)) << client_.why();
  EXPECT_EQ(size, 0);
  text_source second(codecs::as_bytes("abc"));
  EXPECT_EQ(objects_.put(4'000'000'001, 0, second, {}), errc::remote_server_error);
  EXPECT_NE(client_.why().find("chunk 0 (from byte 0 on): ERROR"), std::string::npos) << client_.why();
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

// Case C23: the limits of a real server.
TEST_F(LargeObjectTransfer, PositionsEndAtTheLargestObject) {
  constexpr std::int64_t limit = 4'398'046'509'056;  // (2^31 - 1) pages of 2,048 bytes
  const auto object = static_cast<oid>(call(lo::lo_creat()));
  const auto refused = [&](const lo::call& what) {
    EXPECT_EQ(client_.call(what), errc::remote_server_error);
    EXPECT_FALSE(client_.query("ROLLBACK")) << client_.why();
    return client_.session().sqlstate;
  };
  const auto open_at = [&](std::int64_t position) {
    EXPECT_FALSE(client_.query("BEGIN"));
    EXPECT_EQ(call(lo::lo_open(object, lo::inv_write)), 0);
    EXPECT_EQ(call(lo::lo_lseek64(0, position, lo::whence::start)), position);
  };
  open_at(2'147'483'648);
  EXPECT_EQ(refused({lo::function::lo_tell, codecs::pg::function_arguments().int4(0)}), "22003");
  open_at(limit);
  EXPECT_EQ(refused(lo::lo_lseek64(0, limit + 1, lo::whence::start)), "22023");
  open_at(limit);
  EXPECT_NE(refused(lo::lowrite(0, codecs::as_bytes("x"))), "");
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

// Case C29: nothing waits for the other side although all is sent at once and the replies fill both buffers of the socket.
TEST_F(LargeObjectTransfer, ReadsRepliesWhileItWrites) {
  auto transport = connect(cluster_->unix_uri());
  for (const int option : {SO_SNDBUF, SO_RCVBUF}) {
    const int small = 4096;
    ASSERT_EQ(::setsockopt(transport->native_handle(), SOL_SOCKET, option, &small, sizeof small), 0);
  }
  wire::pg::client client(std::move(transport), &dog_);
  log_in(client);
  wire::pg::large_objects objects(client);
  ASSERT_FALSE(objects.prepare()) << client.why();
  const auto content = fixtures::make_blob(1, 320'000);  // 32,000 chunks; more than 1 MB of replies
  text_source source(content);
  ASSERT_FALSE(objects.upload(source, {.chunk_bytes = 10, .window_bytes = 1 << 30})) << client.why();
  EXPECT_TRUE(download(objects.object(), 320'000) == content);
}

}  // namespace
}  // namespace tests
