// Files as rows of chunks of a PostgreSQL that nobody here wrote.

#include "wire/pg/chunk_rows.hpp"

#include "wire/strategy/memory_sink.hpp"

#include "tests/integration/file_transfer.hpp"

namespace tests {
namespace {

using codecs::errc;
using codecs::pg::transaction_status;

/// One of the ways to write.
using write_op = codecs::exchange& (wire::pg::chunk_rows::*)(std::int64_t, codecs::chunk_source&,
                                                             const wire::pg::chunk_rows::upload_options&);
/// One of the ways to read.
using read_op = codecs::exchange& (wire::pg::chunk_rows::*)(std::int64_t, codecs::chunk_sink&,
                                                            const codecs::chunk_layout&);

class ChunkRows : public FileTransfer {
 protected:
  void SetUp() override {
    FileTransfer::SetUp();
    ASSERT_FALSE(rows_.create_table()) << client_.why();
    ASSERT_FALSE(rows_.prepare()) << client_.why();
    ASSERT_FALSE(client_.query("TRUNCATE wirebench_chunks"));
  }

  wire::error_code write(write_op how, std::int64_t file, codecs::chunk_source& source, std::size_t window,
                         std::size_t chunk = chunk_bytes) {
    return client_.channel().run((rows_.*how)(file, source, {.chunk_bytes = chunk, .window_bytes = window}));
  }
  wire::error_code read(read_op how, std::int64_t file, codecs::chunk_sink& sink, std::size_t size,
                        std::size_t chunk = chunk_bytes) {
    return client_.channel().run(
        (rows_.*how)(file, sink, {static_cast<std::int64_t>(size), static_cast<std::int64_t>(chunk)}));
  }
  std::string rows_there() { return ask("SELECT count(*) FROM wirebench_chunks"); }

  wire::pg::chunk_rows rows_{client_};
};

constexpr std::size_t windows[] = {1, 200'000, 1 << 30};

class ChunkRowsWritten : public ChunkRows, public testing::WithParamInterface<write_op> {};

TEST_P(ChunkRowsWritten, AreToOthersWhatWeWrite) {
  std::int64_t first = 0;
  for (const auto window : windows) {
    for (const auto length : lengths) {
      const auto content = made_content(length);
      text_source source(content);
      ASSERT_FALSE(write(GetParam(), first + static_cast<std::int64_t>(length), source, window))
          << client_.why();
      EXPECT_EQ(source.released, source.taken);
      EXPECT_EQ(client_.session().status, transaction_status::idle);
    }
    first += 10'000'000;
  }
  EXPECT_EQ(psycopg("read", "chunks", 0), sums());
  EXPECT_EQ(psycopg("read", "chunks", 20'000'000), sums());
  // Of the second window, by the server itself; a file without bytes has no row.
  EXPECT_EQ(
      fmt::format("0: {}\n", sha256_of("")) +
          psql("SELECT sum(length(data)) || ': ' || encode(sha256(string_agg(data, ''::bytea ORDER BY n)),"
               " 'hex') FROM wirebench_chunks WHERE file >= 10000000 AND file < 20000000"
               " GROUP BY file ORDER BY file"),
      sums());
}

TEST_P(ChunkRowsWritten, ThatFailInTheMiddleLeaveNothingAndTheSessionInStep) {
  ASSERT_FALSE(client_.query("ALTER TABLE wirebench_chunks ADD CHECK (get_byte(data, 0) <> 7)"));
  for (const std::size_t bad : {0, 3, 59}) {
    for (const auto window : windows) {
      std::string content(60 * chunk_bytes, 'x');
      content[bad * chunk_bytes] = 7;
      text_source source(content);
      EXPECT_EQ(write(GetParam(), 1, source, window), errc::remote_server_error);
      EXPECT_EQ(client_.session().sqlstate, "23514") << client_.why();
      EXPECT_NE(client_.why().find("chunk "), std::string::npos) << client_.why();
      EXPECT_EQ(client_.session().status, transaction_status::idle);
      EXPECT_LE(source.taken, static_cast<int>(std::min<std::size_t>(
                                  60, bad + std::max<std::size_t>(1, window / chunk_bytes))));
      EXPECT_EQ(rows_there(), "0");
    }
  }
  ASSERT_FALSE(client_.query("DROP TABLE wirebench_chunks"));
}

TEST_P(ChunkRowsWritten, OfAFileThatShrinksLeaveNothingAndTheSessionInStep) {
  const std::string content(20 * chunk_bytes, 'x');
  for (const int good : {0, 10, 19}) {
    for (const auto window : windows) {
      text_source shrunk(content);
      shrunk.good = good;
      EXPECT_EQ(write(GetParam(), 1, shrunk, window), errc::local_payload);
      EXPECT_NE(client_.why().find(fmt::format("chunk {} (from byte {} on): the file has shrunk", good,
                                               static_cast<std::size_t>(good) * chunk_bytes)),
                std::string::npos)
          << client_.why();
      EXPECT_EQ(client_.session().status, transaction_status::idle);
      EXPECT_EQ(rows_there(), "0");
    }
  }
}

TEST_P(ChunkRowsWritten, MayBePartOfATransaction) {
  const auto content = made_content(3 * chunk_bytes);
  ASSERT_FALSE(client_.query("BEGIN"));
  text_source source(content);
  ASSERT_FALSE(write(GetParam(), 1, source, 1)) << client_.why();
  EXPECT_EQ(client_.session().status, transaction_status::open);
  EXPECT_EQ(rows_there(), "3");
  text_source again(content);  // its rows are there
  EXPECT_EQ(write(GetParam(), 1, again, 1 << 30), errc::remote_server_error);
  EXPECT_EQ(client_.session().sqlstate, "23505");
  EXPECT_EQ(client_.session().status, transaction_status::failed);
  ASSERT_FALSE(client_.query("ROLLBACK"));
  EXPECT_EQ(rows_there(), "0");
}

INSTANTIATE_TEST_SUITE_P(By, ChunkRowsWritten,
                         testing::Values(&wire::pg::chunk_rows::insert_op,
                                         &wire::pg::chunk_rows::copy_in_op));

class ChunkRowsRead : public ChunkRows, public testing::WithParamInterface<read_op> {};

TEST_P(ChunkRowsRead, AreToUsWhatOthersWrite) {
  ASSERT_EQ(psycopg("write", "chunks", 100), written());
  for (const auto length : lengths) {
    text_sink sink;
    ASSERT_FALSE(read(GetParam(), 100 + static_cast<std::int64_t>(length), sink, length)) << client_.why();
    EXPECT_EQ(sha256_of(sink.text), sha256_of(made_content(length))) << length;
  }
}

// Received directly, no byte of it is copied.
TEST_P(ChunkRowsRead, LandInTheirPlace) {
  const auto content = made_content(50 * chunk_bytes + 5'000);
  text_source source(content);
  ASSERT_FALSE(rows_.insert(1, source, {.chunk_bytes = chunk_bytes})) << client_.why();
  client_.channel().receive_directly();
  for (int i = 0; i < 2; ++i) {
    const auto copied = client_.channel().copied_bytes();
    bytes memory(content.size());
    wire::memory_sink sink(memory);
    ASSERT_FALSE(read(GetParam(), 1, sink, content.size())) << client_.why();
    EXPECT_TRUE(codecs::as_text(memory) == content);
    EXPECT_EQ(sink.counters().copied_bytes, 0u);
    EXPECT_LE(client_.channel().copied_bytes() - copied, 52 * 64u) << "heads that the buffer has moved";
  }
}

// Chunk 1 of three is missing, and so the last one comes in its place.
TEST_P(ChunkRowsRead, OfAFileThatIsDamagedAreNamed) {
  const auto content = made_content(2 * chunk_bytes + 10);
  text_source source(content);
  ASSERT_FALSE(rows_.insert(1, source, {.chunk_bytes = chunk_bytes})) << client_.why();
  ASSERT_FALSE(client_.query("DELETE FROM wirebench_chunks WHERE n = 1"));
  text_sink sink;
  EXPECT_EQ(read(GetParam(), 1, sink, content.size()), errc::remote_bad_file);
  EXPECT_NE(client_.why().find("chunk 1 (from byte 65536 on): has 10 bytes and not 65536"), std::string::npos)
      << client_.why();
  EXPECT_EQ(sink.text.size(), chunk_bytes);
  EXPECT_EQ(read(GetParam(), 2, sink, 10), errc::remote_bad_file);
  EXPECT_NE(client_.why().find("chunk 0 (from byte 0 on): did not come"), std::string::npos) << client_.why();
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

INSTANTIATE_TEST_SUITE_P(By, ChunkRowsRead,
                         testing::Values(&wire::pg::chunk_rows::select_op,
                                         &wire::pg::chunk_rows::copy_out_op));

// B 42 bytes around the chunk, E 10; S 5. 2 5 and C 16; Z 6.
TEST_F(ChunkRows, AreInsertedInOneRoundTrip) {
  const std::string content(100 * chunk_bytes, 'x');
  text_source source(content);
  const auto before = client_.channel().counters();
  ASSERT_FALSE(write(&wire::pg::chunk_rows::insert_op, 1, source, 1 << 30)) << client_.why();
  const auto& after = client_.channel().counters();
  EXPECT_EQ(after.frames_out - before.frames_out, 2 * 100 + 1u);
  EXPECT_EQ(after.bytes_out - before.bytes_out, 100 * (42 + 10 + chunk_bytes) + 5);
  EXPECT_EQ(after.bytes_in - before.bytes_in, 100 * (5 + 16) + 6u);
  EXPECT_EQ(client_.channel().copied_bytes(), 0u);
}

// B 18 and E 10; a CopyData has 31 bytes around the chunk, the first one 19 more; trailer 7, CopyDone 5; S 5. 2 5, G 14 and C 14; Z 6.
TEST_F(ChunkRows, AreCopiedInOneRoundTrip) {
  const std::string content(100 * chunk_bytes, 'x');
  text_source source(content);
  const auto before = client_.channel().counters();
  ASSERT_FALSE(rows_.copy_in(1, source, {.chunk_bytes = chunk_bytes, .window_bytes = 1 << 30}))
      << client_.why();
  const auto& after = client_.channel().counters();
  EXPECT_EQ(after.frames_out - before.frames_out, 2 + 100 + 2 + 1u);
  EXPECT_EQ(after.frames_in - before.frames_in, 4u);
  EXPECT_EQ(after.bytes_out - before.bytes_out, 18 + 10 + 19 + 100 * (31 + chunk_bytes) + 7 + 5 + 5);
  EXPECT_EQ(after.bytes_in - before.bytes_in, 5 + 14 + 14 + 6u);
  EXPECT_EQ(client_.channel().copied_bytes(), 0u);
}

// Case C28: a real server, too, swallows what comes too early. Bind to y, Execute, and a Sync; CopyData of the head of the stream, a row
// and the trailer; CopyDone; Sync.
TEST_F(ChunkRows, AreCopiedWithOneZOfTwoSyncs) {
  constexpr std::string_view messages = R"(
    42 00000011 00 7900 0001 0001 0000 0001 0001
    45 00000009 00 00000000
    53 00000004
    64 00000036 5047434f50590aff0d0a00 00000000 00000000
       0003 00000008 0000000000000007 00000004 00000000 00000003 616263 ffff
    63 00000004
    53 00000004
  )";
  literal_exchange op(client_.session(), messages);
  ASSERT_FALSE(client_.channel().run(op)) << client_.why();
  EXPECT_EQ(op.types, "2GCZ");
  EXPECT_EQ(rows_there(), "1");
  ASSERT_FALSE(client_.channel().run(op)) << client_.why();  // its key is there
  EXPECT_EQ(op.types, "2GEZ");
  EXPECT_EQ(rows_there(), "1");
}

// Case C28: nothing but the Sync ends what the server skips, and it has one Z.
TEST_F(ChunkRows, OfATableThatIsNotThereAreSkippedUpToTheSync) {
  const std::string content(100 * chunk_bytes, 'x');
  text_source source(content);
  ASSERT_FALSE(client_.query("DROP TABLE wirebench_chunks"));
  EXPECT_EQ(rows_.copy_in(1, source, {.chunk_bytes = chunk_bytes, .window_bytes = 1 << 20}),
            errc::remote_server_error);
  EXPECT_EQ(client_.session().sqlstate, "42P01") << client_.why();
  EXPECT_LE(source.taken, 16);
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

}  // namespace
}  // namespace tests
