// Large objects of a PostgreSQL that nobody here wrote, through FunctionCall.

#include "fixtures/datasets.hpp"

#include "tests/codecs/pg/sink.hpp"
#include "tests/integration/postgresql.hpp"

namespace tests {
namespace {

namespace lo = codecs::pg::large_object;
using codecs::bytes_view;
using codecs::errc;
using codecs::pg::transaction_status;
using codecs::pg::value;

constexpr std::size_t chunk_bytes = 256 * 1024;
constexpr std::size_t object_bytes = 4 * chunk_bytes;

class LargeObject : public PostgreSql {
 protected:
  /// A call that must succeed; its number.
  std::int64_t call(const lo::call& what) {
    const auto error = client_.call(what);
    EXPECT_FALSE(error) << client_.why();
    return client_.number();
  }

  codecs::pg::oid create() { return static_cast<codecs::pg::oid>(call(lo::lo_creat())); }

  std::int32_t open(codecs::pg::oid object, std::int32_t mode) {
    return static_cast<std::int32_t>(call(lo::lo_open(object, mode)));
  }

  /// In a transaction: a new object with that content, by chunks.
  codecs::pg::oid write(bytes_view content) {
    const auto object = create();
    const auto descriptor = open(object, lo::inv_write);
    EXPECT_EQ(descriptor, 0);  // the first of its transaction
    for (std::size_t at = 0; at < content.size(); at += chunk_bytes) {
      EXPECT_EQ(call(lo::lowrite(descriptor, content.subspan(at, chunk_bytes))), std::int64_t{chunk_bytes});
    }
    EXPECT_EQ(call(lo::lo_close(descriptor)), 0);
    return object;
  }

  const bytes content_ = fixtures::make_blob(7, object_bytes);
};

TEST_F(LargeObject, IsReadBackAsItWasWritten) {
  ASSERT_FALSE(client_.query("BEGIN"));
  const auto descriptor = open(write(content_), lo::inv_read);
  bytes read;
  bytes room(chunk_bytes);
  do {
    ASSERT_FALSE(client_.call(lo::loread(descriptor, chunk_bytes), room)) << client_.why();
    read.insert(read.end(), client_.got().begin(), client_.got().end());
  } while (!client_.got().empty());
  EXPECT_TRUE(read == content_);
  EXPECT_FALSE(client_.query("ROLLBACK"));
}

TEST_F(LargeObject, IsToTheServerWhatWasWritten) {
  ASSERT_FALSE(client_.query("BEGIN"));
  const auto object = write(content_);
  codecs::pg::statement same{.name = "s"};
  ASSERT_FALSE(client_.prepare("SELECT lo_get($1) = $2", same)) << client_.why();
  std::uint8_t number[4];
  codecs::store_be(number, object);
  const value parameters[] = {bytes_view(number), bytes_view(content_)};
  sink seen;
  ASSERT_FALSE(client_.execute(same, parameters, &seen)) << client_.why();
  EXPECT_EQ(seen.seen, std::string("(\1)SELECT 1;"));  // true
}

TEST_F(LargeObject, TravelsInExactlyTheBytesOfItsLayout) {
  ASSERT_FALSE(client_.query("BEGIN"));
  const auto descriptor = open(create(), lo::inv_write);
  const auto before = client_.channel().counters();
  call(lo::lowrite(descriptor, bytes_view(content_).first(chunk_bytes)));
  EXPECT_EQ(client_.channel().counters().bytes_out - before.bytes_out, 29 + chunk_bytes);
  EXPECT_EQ(client_.channel().counters().bytes_in - before.bytes_in, 19u);  // V 13, Z 6
  EXPECT_EQ(client_.channel().copied_bytes(), 0u);
}

// Case C26: judged by the last Z.
TEST_F(LargeObject, IsRefusedOutsideATransactionBeforeAnyByte) {
  const auto object = create();  // needs no descriptor
  const auto before = client_.channel().counters();
  EXPECT_EQ(client_.call(lo::lo_open(object, lo::inv_read)), errc::local_wrong_state);
  EXPECT_NE(client_.why().find("lives no longer than its transaction"), std::string::npos) << client_.why();
  EXPECT_EQ(client_.channel().counters().bytes_out, before.bytes_out);

  ASSERT_FALSE(client_.query("BEGIN"));
  const auto descriptor = open(object, lo::inv_read);
  ASSERT_FALSE(client_.query("COMMIT"));
  EXPECT_EQ(client_.call(lo::lo_close(descriptor)), errc::local_wrong_state);
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

// Case C26: the server's own error is shown as it is.
TEST_F(LargeObject, ThatIsNotOpenIsTheServersError) {
  ASSERT_FALSE(client_.query("BEGIN"));
  EXPECT_EQ(client_.call(lo::lo_close(0)), errc::remote_server_error);
  EXPECT_NE(client_.why().find("invalid large-object descriptor: 0 (42704)"), std::string::npos)
      << client_.why();
}

// Case C26: an error does not start skipping; each call has its own Z.
TEST_F(LargeObject, CallsInAFailedTransactionGetOneErrorAndOneReady) {
  ASSERT_FALSE(client_.query("BEGIN"));
  ASSERT_TRUE(client_.query("SELECT 1/0"));
  for (int i = 0; i < 3; ++i) {
    const auto before = client_.channel().counters();
    EXPECT_EQ(client_.call(lo::lo_creat()), errc::remote_server_error);
    EXPECT_NE(client_.why().find("25P02"), std::string::npos) << client_.why();
    EXPECT_EQ(client_.channel().counters().frames_in - before.frames_in, 2u);  // E, Z
    EXPECT_EQ(client_.session().status, transaction_status::failed);
  }
  ASSERT_FALSE(client_.query("ROLLBACK"));
  EXPECT_NE(create(), 0u);
}

}  // namespace
}  // namespace tests
