// Transfers of large objects that fail, on a PostgreSQL that nobody here wrote: nothing is left behind, and the session goes on.

#include "tests/integration/large_object_transfer.hpp"

namespace tests {
namespace {

namespace lo = codecs::pg::large_object;
using codecs::errc;
using codecs::pg::oid;
using codecs::pg::transaction_status;

class LargeObjectFailure : public LargeObjectTransfer {};

TEST_F(LargeObjectFailure, ThatFailsInTheMiddleLeavesNothingAndTheSessionInStep) {
  ASSERT_FALSE(client_.query("DEALLOCATE w"));
  codecs::pg::statement failing{.name = "w"};
  ASSERT_FALSE(client_.prepare("SELECT lowrite($1, $2) + 0 / (get_byte($2, 0) - 7)", failing))
      << client_.why();
  const auto before = objects_there();
  for (const std::size_t window : {std::size_t{1}, 4 * chunk_bytes, std::size_t{1} << 30}) {
    bytes content(60 * chunk_bytes, 'x');
    content[3 * chunk_bytes] = 7;
    text_source source(content);
    EXPECT_EQ(objects_.upload(source, {.chunk_bytes = chunk_bytes, .window_bytes = window}),
              errc::remote_server_error);
    EXPECT_NE(client_.why().find("chunk 3 (from byte 196608 on): ERROR: division by zero (22012)"),
              std::string::npos)
        << client_.why();
    EXPECT_EQ(client_.session().status, transaction_status::idle);
    EXPECT_LE(source.taken, static_cast<int>(std::min<std::size_t>(
                                60, 3 + std::max<std::size_t>(1, window / chunk_bytes))));
    EXPECT_EQ(objects_there(), before);
  }
  bytes content(4 * chunk_bytes, 'x');
  text_source source(content);
  ASSERT_FALSE(objects_.upload(source, {.chunk_bytes = chunk_bytes})) << client_.why();
  EXPECT_TRUE(download(objects_.object(), 4 * chunk_bytes) == content);
}

TEST_F(LargeObjectFailure, OfAFileThatShrinksLeavesNothingAndTheSessionInStep) {
  const auto before = objects_there();
  const bytes content(20 * chunk_bytes, 'x');
  for (const std::size_t window : {std::size_t{1}, std::size_t{1} << 30}) {
    text_source shrunk(content);
    shrunk.good = 10;
    EXPECT_EQ(objects_.upload(shrunk, {.chunk_bytes = chunk_bytes, .window_bytes = window}),
              errc::local_payload);
    EXPECT_NE(client_.why().find("chunk 10 (from byte 655360 on): the file has shrunk"), std::string::npos)
        << client_.why();
    EXPECT_EQ(client_.session().status, transaction_status::idle);
    EXPECT_EQ(objects_there(), before);
  }
}

TEST_F(LargeObjectFailure, ThatFailsByACallDrainsThoseInFlight) {
  ASSERT_FALSE(client_.query("BEGIN"));
  const auto object = static_cast<oid>(call(lo::lo_creat()));
  const auto descriptor = static_cast<std::int32_t>(call(lo::lo_open(object, lo::inv_write)));
  // Room for one chunk and a half up to the largest size of an object.
  call(lo::lo_lseek64(descriptor, 4'398'046'509'056 - 3 * std::int64_t{chunk_bytes} / 2, lo::whence::start));
  const bytes content(60 * chunk_bytes, 'x');
  text_source source(content);
  EXPECT_EQ(objects_.write(descriptor, source, chunk_bytes, 8), errc::remote_server_error);
  EXPECT_NE(client_.why().find("chunk 1 (from byte 65536 on): ERROR"), std::string::npos) << client_.why();
  EXPECT_EQ(client_.session().status, transaction_status::failed);
  EXPECT_LE(source.taken, 9);
  ASSERT_FALSE(client_.query("ROLLBACK")) << client_.why();
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

TEST_F(LargeObjectFailure, IsRefusedInTheWrongTransaction) {
  const bytes content(10, 'x');
  text_source source(content);
  text_sink sink;
  const auto before = client_.channel().counters().bytes_out;
  EXPECT_EQ(objects_.write(0, source, chunk_bytes, 1), errc::local_wrong_state);
  EXPECT_EQ(objects_.read(0, sink, {10, chunk_bytes}, 1), errc::local_wrong_state);
  EXPECT_EQ(client_.channel().counters().bytes_out, before);
  ASSERT_FALSE(client_.query("BEGIN"));
  EXPECT_EQ(objects_.upload(source, {}), errc::local_wrong_state);
  EXPECT_EQ(client_.session().status, transaction_status::open);
  ASSERT_FALSE(client_.query("COMMIT"));
  EXPECT_EQ(source.taken, 0);
}

TEST_F(LargeObjectFailure, LeavesNoDescriptor) {
  text_source source(codecs::as_bytes("abc"));
  ASSERT_FALSE(objects_.upload(source, {})) << client_.why();
  ASSERT_FALSE(client_.query("BEGIN"));
  text_source second(codecs::as_bytes("abc"));
  EXPECT_EQ(objects_.write(0, second, chunk_bytes, 1), errc::remote_server_error);
  EXPECT_EQ(client_.session().sqlstate, "42704");
}

TEST_F(LargeObjectFailure, OfAnObjectThatIsNotThereOrTooShortIsNamed) {
  text_sink sink;
  EXPECT_EQ(objects_.download(4'000'000'001, sink, {10, chunk_bytes}), errc::remote_server_error);
  EXPECT_EQ(client_.session().sqlstate, "42704");

  const auto content = fixtures::make_blob(1, chunk_bytes + 10);
  text_source source(content);
  ASSERT_FALSE(objects_.upload(source, {.chunk_bytes = chunk_bytes})) << client_.why();
  EXPECT_EQ(objects_.download(objects_.object(), sink, {3 * chunk_bytes, chunk_bytes}),
            errc::remote_bad_file);
  EXPECT_NE(client_.why().find("chunk 1 (from byte 65536 on): has 10 bytes and not 65536"), std::string::npos)
      << client_.why();
  EXPECT_EQ(sink.text.size(), chunk_bytes);
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

TEST_F(LargeObjectFailure, IntoASinkThatIsFullLeavesTheSessionInStep) {
  const auto content = fixtures::make_blob(1, 20 * chunk_bytes);
  text_source source(content);
  ASSERT_FALSE(objects_.upload(source, {.chunk_bytes = chunk_bytes})) << client_.why();
  text_sink full;
  full.room = 2;
  EXPECT_EQ(objects_.download(objects_.object(), full, {20 * chunk_bytes, chunk_bytes}), errc::local_payload);
  EXPECT_NE(client_.why().find("chunk 2 (from byte 131072 on): no space left on device"), std::string::npos)
      << client_.why();
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

}  // namespace
}  // namespace tests
