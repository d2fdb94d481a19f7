// Whole files as bytea rows of a PostgreSQL that nobody here wrote.

#include "wire/pg/bytea_rows.hpp"

#include "wire/strategy/memory_sink.hpp"

#include "tests/integration/file_transfer.hpp"

namespace tests {
namespace {

using codecs::errc;
using codecs::pg::transaction_status;

class ByteaRows : public FileTransfer {
 protected:
  void SetUp() override {
    FileTransfer::SetUp();
    ASSERT_FALSE(rows_.create_table()) << client_.why();
    ASSERT_FALSE(rows_.prepare()) << client_.why();
    ASSERT_FALSE(client_.query("TRUNCATE wirebench_bytea"));
  }

  void put(std::int64_t key, const std::string& content) {
    text_source source(content);
    ASSERT_FALSE(rows_.put(key, source)) << client_.why();
    EXPECT_EQ(source.released, source.taken);
  }

  wire::pg::bytea_rows rows_{client_};
};

TEST_F(ByteaRows, AreToOthersWhatWeWrite) {
  for (const auto length : lengths) put(100 + static_cast<std::int64_t>(length), made_content(length));
  EXPECT_EQ(psycopg("read", "bytea", 100), sums());
  EXPECT_EQ(
      psql("SELECT length(data) || ': ' || encode(sha256(data), 'hex') FROM wirebench_bytea ORDER BY id"),
      sums());
}

TEST_F(ByteaRows, AreToUsWhatOthersWrite) {
  ASSERT_EQ(psycopg("write", "bytea", 100), written());
  for (const auto length : lengths) {
    text_sink sink;
    ASSERT_FALSE(rows_.get(100 + static_cast<std::int64_t>(length), sink)) << client_.why();
    EXPECT_EQ(sha256_of(sink.text), sha256_of(made_content(length))) << length;
  }
}

// 34 bytes around the file, E 10, S 5; then 2 5, D 11 and the file, C 14, Z 6.
TEST_F(ByteaRows, TravelInExactlyTheBytesOfTheirLayout) {
  put(1, "warm");
  const auto content = made_content(chunk_bytes);
  const auto start = client_.channel().counters();
  put(2, content);
  const auto put_there = client_.channel().counters();
  EXPECT_EQ(put_there.bytes_out - start.bytes_out, 34 + chunk_bytes + 10 + 5);
  EXPECT_EQ(put_there.bytes_in - start.bytes_in, 5 + 16 + 6u);
  EXPECT_EQ(put_there.frames_out - start.frames_out, 3u);
  EXPECT_EQ(client_.channel().copied_bytes(), 0u);
  text_sink sink;
  ASSERT_FALSE(rows_.get(2, sink));
  EXPECT_EQ(client_.channel().counters().bytes_in - put_there.bytes_in, 5 + 11 + chunk_bytes + 14 + 6);
}

// Larger than the receive buffer of other protocols.
TEST_F(ByteaRows, MayBeLong) {
  const auto content = made_content(60'000'000);
  put(1, content);
  text_sink sink;
  ASSERT_FALSE(rows_.get(1, sink)) << client_.why();
  EXPECT_TRUE(sink.text == content);
}

// Received directly, no byte of it is copied.
TEST_F(ByteaRows, LandInTheirPlace) {
  const auto content = made_content(5'000'000);
  put(1, content);
  client_.channel().receive_directly();
  for (int i = 0; i < 2; ++i) {
    const auto copied = client_.channel().copied_bytes();
    bytes memory(content.size());
    wire::memory_sink sink(memory);
    ASSERT_FALSE(rows_.get(1, sink)) << client_.why();
    EXPECT_TRUE(codecs::as_text(memory) == content);
    EXPECT_EQ(sink.counters().copied_bytes, 0u);
    EXPECT_LE(client_.channel().copied_bytes() - copied, 64u) << "heads that the buffer has moved";
  }
}

TEST_F(ByteaRows, OfOneKeyAreThereOnce) {
  put(1, "abc");
  text_source again(std::string_view("def"));
  EXPECT_EQ(rows_.put(1, again), errc::remote_server_error);
  EXPECT_EQ(client_.session().sqlstate, "23505");
  EXPECT_EQ(client_.session().status, transaction_status::idle);
  text_sink sink;
  ASSERT_FALSE(rows_.get(1, sink)) << client_.why();
  EXPECT_EQ(sink.text, "abc");
  EXPECT_EQ(rows_.get(2, sink), errc::remote_bad_file);
  EXPECT_NE(client_.why().find("row 2: is not there"), std::string::npos) << client_.why();
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

TEST_F(ByteaRows, AreRolledBackWithTheirTransaction) {
  ASSERT_FALSE(client_.query("BEGIN"));
  put(1, "abc");
  EXPECT_EQ(client_.session().status, transaction_status::open);
  ASSERT_FALSE(client_.query("ROLLBACK"));
  EXPECT_EQ(ask("SELECT count(*) FROM wirebench_bytea"), "0");
}

}  // namespace
}  // namespace tests
