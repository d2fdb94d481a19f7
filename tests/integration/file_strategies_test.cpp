// Every way to store a file in a PostgreSQL that nobody here wrote, by every strategy, and large objects with psycopg on the other side.

#include "wire/pg/bytea_rows.hpp"
#include "wire/pg/chunk_rows.hpp"
#include "wire/pipeline.hpp"

#include "tests/integration/large_object_transfer.hpp"

#include <sys/socket.h>

#include <fstream>

namespace tests {
namespace {

constexpr std::size_t file_bytes = 20 * chunk_bytes + 1'234;

class FileStrategies : public LargeObjectTransfer {
 protected:
  void SetUp() override {
    LargeObjectTransfer::SetUp();
    ASSERT_FALSE(chunks_.create_table()) << client_.why();
    ASSERT_FALSE(chunks_.prepare()) << client_.why();
    ASSERT_FALSE(rows_.create_table()) << client_.why();
    ASSERT_FALSE(rows_.prepare()) << client_.why();
    ASSERT_FALSE(client_.query("TRUNCATE wirebench_bytea, wirebench_chunks"));
    std::ofstream(file(), std::ios::binary) << content_;
  }

  /// The kernel takes little at a time, and so each write ends within a chunk or between two.
  void take_small_pieces() {
    const int small = 4096;
    ASSERT_EQ(::setsockopt(client_.channel().native_handle(), SOL_SOCKET, SO_SNDBUF, &small, sizeof small),
              0);
  }

  void send(const wire::source_strategy& by, codecs::exchange& (*make)(FileStrategies&, wire::source&),
            const std::string& sum) {
    const auto owner = by.needs == wire::source_strategy::kind::memory
                           ? wire::owner(codecs::as_bytes(content_))
                           : wire::owner(wire::file_path{file()});
    const auto made = wire::make_source(by.name, owner);
    ASSERT_TRUE(made.source) << made.problem;
    const auto result = wire::transfer(client_.channel(), make(*this, *made.source), *made.source);
    ASSERT_FALSE(result.error) << by.name << ": " << result.why;
    EXPECT_EQ(result.report.payload_bytes, static_cast<std::int64_t>(file_bytes));
    EXPECT_EQ(ask("SELECT encode(sha256(" + sum + "), 'hex')"), sha256_of(content_))
        << by.name << ": " << sum;
    if (by.name == "gather" || by.name == "mmap" || by.name == "sendfile" || by.name == "splice") {
      EXPECT_EQ(result.report.copied_bytes, 0u) << by.name;
    }
  }

  void send_in_all_ways(const wire::source_strategy& by) {
    using self = FileStrategies;
    const std::string chunks = "(SELECT string_agg(data, ''::bytea ORDER BY n) FROM wirebench_chunks)";
    send(
        by,
        [](self& it, wire::source& from) -> codecs::exchange& {
          return it.chunks_.insert_op(1, from, it.how_);
        },
        chunks);
    ASSERT_FALSE(client_.query("TRUNCATE wirebench_chunks"));
    send(
        by,
        [](self& it, wire::source& from) -> codecs::exchange& {
          return it.chunks_.copy_in_op(1, from, it.how_);
        },
        chunks);
    send(
        by, [](self& it, wire::source& from) -> codecs::exchange& { return it.rows_.put_op(1, from); },
        "(SELECT data FROM wirebench_bytea)");
    ASSERT_FALSE(client_.query("TRUNCATE wirebench_bytea, wirebench_chunks"));
    object_ = static_cast<codecs::pg::oid>(call(codecs::pg::large_object::lo_creat()));
    send(
        by,
        [](self& it, wire::source& from) -> codecs::exchange& {
          return it.objects_.put_op(it.object_, 0, from, {.chunk_bytes = chunk_bytes});
        },
        "lo_get(" + std::to_string(object_) + ")");
  }

  const std::string content_ = made_content(file_bytes);
  const wire::pg::chunk_rows::upload_options how_{.chunk_bytes = chunk_bytes,
                                                  .window_bytes = 5 * chunk_bytes};
  codecs::pg::oid object_ = 0;
  wire::pg::chunk_rows chunks_{client_};
  wire::pg::bytea_rows rows_{client_};
};

/// Whether this system and a UNIX socket have what it needs.
bool at_hand(const wire::source_strategy& by) {
  return by.name != "zerocopy" && (by.refusal == nullptr || by.refusal().empty());
}

TEST_F(FileStrategies, AllSendTheSameBytes) {
  for (const auto& each : wire::source_strategies()) {
    if (at_hand(each)) send_in_all_ways(each);
  }
}

// Case S14.
TEST_F(FileStrategies, OfTheKernelSendTheSameBytesInSmallPieces) {
  take_small_pieces();
  for (const auto& each : wire::source_strategies()) {
    if (each.name == "sendfile" || each.name == "splice") send_in_all_ways(each);
  }
}

TEST_F(FileStrategies, ObjectsAreToPsycopgWhatWeWrite) {
  for (const auto length : lengths) {
    const auto content = made_content(length);
    text_source source(content);
    const auto oid = static_cast<codecs::pg::oid>(200'000 + length);
    ASSERT_FALSE(objects_.upload(source, {.chunk_bytes = chunk_bytes, .object = oid})) << client_.why();
  }
  EXPECT_EQ(psycopg("read", "object", 200'000), sums());
}

TEST_F(FileStrategies, ObjectsAreToUsWhatPsycopgWrites) {
  ASSERT_EQ(psycopg("write", "object", 3'000'000), written());
  for (const auto length : lengths) {
    const auto oid = static_cast<codecs::pg::oid>(3'000'000 + length);
    const auto got = download(oid, static_cast<std::int64_t>(length));
    EXPECT_EQ(sha256_of(codecs::as_text(got)), sha256_of(made_content(length))) << length;
  }
}

}  // namespace
}  // namespace tests
