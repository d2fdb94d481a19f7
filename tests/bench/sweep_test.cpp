#include "bench/sweep.hpp"

#include "bench/workloads/transfer_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace bench {
namespace {

using workloads::direction;
using workloads::find_framing;
using workloads::transfer_payload;

/// A peer that nobody asks for anything but its name and address.
class named_peer final : public peer {
 public:
  explicit named_peer(std::string uri) : uri_(std::move(uri)) {}
  std::string name() const override { return "null"; }
  std::string tcp_uri() const override { return uri_; }
  std::optional<std::string> unix_uri() const override { return std::nullopt; }
  std::optional<pid_t> pid() const override { return std::nullopt; }
  std::optional<traffic> counted() const override { return std::nullopt; }
  std::unique_ptr<codecs::conversation> converse() const override { return nullptr; }

 private:
  std::string uri_;
};

constexpr std::int64_t kib = 1024;

sweep_options of(std::vector<const char*> framings, std::vector<std::int64_t> chunk_bytes) {
  sweep_options options{
      .framings = {}, .strategies = {}, .chunk_bytes = std::move(chunk_bytes), .file_bytes = 32 * kib * kib};
  for (const auto* name : framings) options.framings.push_back(find_framing(name));
  return options;
}

std::string complaint(const sweep_options& options, std::vector<direction> ways = {direction::upload}) {
  const auto status = check(options, ways);
  EXPECT_EQ(status.code(), status.ok() ? absl::StatusCode::kOk : absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

// An ObjectId as files_id leaves 16 MiB less 62 bytes (specification gridfs).
TEST(Sweep, RefusesChunksThatFitNoDocument) {
  EXPECT_EQ(complaint(of({"gridfs"}, {16'777'154})), "");
  EXPECT_EQ(complaint(of({"gridfs"}, {16'777'155})),
            "a chunk of 16777155 bytes does not fit a message of gridfs: at most 16777154 do");
  EXPECT_EQ(complaint(of({"lowrite"}, {16'777'155})), "");
  // 50 bytes, a string's length and NUL, and "33554432x16777150": 16 MiB less 72
  EXPECT_EQ(complaint(of({"gridfs"}, {16'777'144}), {direction::download}), "");
  EXPECT_NE(complaint(of({"gridfs"}, {16'777'145}), {direction::download}), "");
}

TEST(Sweep, RefusesWhatCannotBe) {
  EXPECT_NE(complaint(of({"gridfs"}, {0})), "");
  EXPECT_NE(complaint(of({"gridfs"}, {-1})), "");
  EXPECT_NE(complaint(of({"gridfs"}, {33 * kib * kib})), "");
  EXPECT_NE(complaint(of({"gridfs", "lo_get"}, {64 * kib})), "");
  EXPECT_NE(complaint(of({"lo-trip"}, {64 * kib}), {direction::upload, direction::download}), "");
}

TEST(Sweep, PlansEveryCellOnce) {
  const named_peer mongo("mongodb://127.0.0.1:1/"), pg("postgresql://me@127.0.0.1:1/me");
  auto options = of({"gridfs", "lo-trip", "lowrite"}, {64 * kib, 255 * kib});
  options.strategies = {"gather", "staged", "driver"};
  options.file_bytes = 64 * kib;
  auto payload = transfer_payload::make({.file_bytes = options.file_bytes}, "");
  ASSERT_TRUE(payload.ok());
  wire::watchdog dog(std::chrono::seconds(1));
  const auto cells =
      plan_sweep(options, direction::upload, {.mongo = &mongo, .pg = &pg, .real_pg = &pg}, **payload, dog);
  std::vector<std::string> ids;
  for (const auto& one : cells) {
    ids.push_back(one.what.id);
    EXPECT_EQ(one.what.op, "upload");
    EXPECT_EQ(one.what.payload_bytes, 64 * kib);
  }
  EXPECT_EQ(ids,
            (std::vector<std::string>{
                "upload/gridfs/gather/64K", "upload/gridfs/gather/64K/again", "upload/gridfs/libmongoc/64K",
                "upload/gridfs/gather/255K", "upload/gridfs/libmongoc/255K", "upload/lo-trip/gather/64K",
                "upload/lo-trip/gather/255K", "upload/lowrite/gather/64K", "upload/lowrite/libpq/64K",
                "upload/lowrite/gather/255K", "upload/lowrite/libpq/255K", "upload/lo-trip/gather/64K/real",
                "upload/lo-trip/gather/255K/real", "upload/lowrite/gather/64K/real",
                "upload/lowrite/libpq/64K/real", "upload/lowrite/gather/255K/real",
                "upload/lowrite/libpq/255K/real"}));
  options.strategies = {"staged"};
  EXPECT_TRUE(plan_sweep(options, direction::upload, {.mongo = &mongo, .pg = &pg}, **payload, dog).empty());
}

TEST(Sweep, PlansOneCellForAFileInOnePiece) {
  const named_peer pg("postgresql://me@127.0.0.1:1/me");
  auto options = of({"bytea"}, {64 * kib, 255 * kib});
  options.strategies = {"gather"};
  EXPECT_EQ(complaint(options), "");
  auto payload = transfer_payload::make({.file_bytes = 64 * kib}, "");
  ASSERT_TRUE(payload.ok());
  wire::watchdog dog(std::chrono::seconds(1));
  const auto cells = plan_sweep(options, direction::upload, {.pg = &pg}, **payload, dog);
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].what.id, "upload/bytea/gather/32M");
  EXPECT_EQ(cells[1].what.id, "upload/bytea/gather/32M/again");
}

TEST(Sweep, ComparesWithTheStrategyThatIsNamedFirst) {
  const named_peer pg("postgresql://me@127.0.0.1:1/me");
  auto options = of({"lowrite"}, {64 * kib});
  options.strategies = {"driver", "gather", "floor", "gather"};
  auto payload = transfer_payload::make({.file_bytes = 64 * kib}, "");
  ASSERT_TRUE(payload.ok());
  wire::watchdog dog(std::chrono::seconds(1));
  const auto cells = plan_sweep(options, direction::upload, {.pg = &pg, .real_pg = &pg}, **payload, dog);
  std::vector<std::string> ids;
  for (const auto& one : cells) ids.push_back(one.what.id);
  EXPECT_EQ(ids,
            (std::vector<std::string>{"upload/lowrite/libpq/64K", "upload/lowrite/libpq/64K/again",
                                      "upload/lowrite/gather/64K", "upload/lowrite/floor/64K",
                                      "upload/lowrite/libpq/64K/real", "upload/lowrite/gather/64K/real"}));
}

// Three files of 5000 bytes, two pages of 4 KiB each, fit into 26000: each transfer gets the next one, and then the first again.
TEST(TransferPayload, WalksThroughWholeFiles) {
  auto made = transfer_payload::make({.file_bytes = 5000, .walked_bytes = 26000, .room = true}, "");
  ASSERT_TRUE(made.ok());
  const auto* const first = (*made)->memory().data();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 4096, 0u);
  for (int i = 1; i < 4; ++i) EXPECT_EQ((*made)->memory().data(), first + 8192 * (i % 3));
  EXPECT_EQ((*made)->room().size(), 5000u);
  EXPECT_EQ((*made)->offset_of(first + 8192 + 17), 17u);
  EXPECT_FALSE((*made)->offset_of((*made)->room().data()));
}

// 4090 bytes from byte 64 on reach into a second page.
TEST(TransferPayload, BeginsWhereInAPageItIsWanted) {
  auto made = transfer_payload::make({.file_bytes = 4090, .walked_bytes = 16384, .page_offset = 64}, "");
  ASSERT_TRUE(made.ok());
  const auto* const first = (*made)->memory().data();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 4096, 64u);
  EXPECT_EQ((*made)->memory().data(), first + 8192);
  EXPECT_EQ((*made)->memory().data(), first);
  EXPECT_EQ((*made)->offset_of(first + 8192 + 17), 17u);
}

TEST(TransferPayload, RepeatsAMemoryThatIsSmallerThanAFile) {
  auto made = transfer_payload::make({.file_bytes = 20'000, .walked_bytes = 8192, .room = true}, "");
  ASSERT_TRUE(made.ok());
  const auto file = (*made)->memory();
  ASSERT_EQ(file.size(), 20'000u);
  EXPECT_EQ((*made)->memory().data(), file.data());
  EXPECT_TRUE(std::ranges::equal(file.first(8192), file.subspan(8192, 8192)));
  EXPECT_FALSE(std::ranges::equal(file.first(4096), file.subspan(4096, 4096)));
  const auto room = (*made)->room();
  room[3] = 7;
  EXPECT_EQ(room[8192 + 3], 7);  // the same byte
}

/// Takes what it is given, 3 bytes at a time, and answers with as many as are asked for.
class narrow_transport final : public wire::transport {
 public:
  wire::io_result write_some(std::span<const iovec> segments) override {
    return {std::min<std::size_t>(segments[0].iov_len, 3), 0};
  }
  wire::io_result read_some(codecs::bytes_span to) override { return {to.size(), 0}; }
  wire::io_result read_now(codecs::bytes_span /*to*/) override { return {0, EAGAIN}; }
  readiness wait(bool /*reading*/) override { return {}; }
  void shutdown() noexcept override {}
  int native_handle() const override { return -1; }
};

TEST(TransferLog, TellsPayloadFromAllElse) {
  auto payload = transfer_payload::make({.file_bytes = 100}, "");
  ASSERT_TRUE(payload.ok());
  std::uint8_t* const file = const_cast<std::uint8_t*>((*payload)->memory().data());
  workloads::transfer_log log(**payload);
  const auto over = log_transport(std::make_unique<narrow_transport>(), log);
  std::uint8_t head[] = {1, 2, 3, 4}, reply[9];
  const auto send = [&over](void* from, std::size_t size) {
    const iovec one{from, size};
    over->write_some({&one, 1});
  };
  send(head, 1);  // before it begins
  log.begin();
  send(head, 4);
  send(head + 3, 1);
  send(file + 40, 5);
  send(file + 43, 2);
  over->read_now(reply);
  send(file + 50, 1);
  over->read_some(reply);
  over->read_some({reply, 2});
  send(head, 2);
  over->read_some({reply, 1});
  log.end();
  send(head, 1);
  ASSERT_EQ(log.trips().size(), 2u);
  const auto& first = log.trips()[0];
  ASSERT_EQ(first.sent.size(), 3u);
  EXPECT_FALSE(first.sent[0].payload);
  EXPECT_EQ(first.sent[0].size, 4u);
  EXPECT_TRUE(first.sent[1].payload);
  EXPECT_EQ(first.sent[1].begin, 40u);
  EXPECT_EQ(first.sent[1].size, 5u);
  EXPECT_EQ(first.sent[2].begin, 50u);
  EXPECT_EQ(first.reply_bytes, 11u);
  EXPECT_EQ(log.trips()[1].reply_bytes, 1u);
  EXPECT_TRUE(std::ranges::equal(log.encoded(), std::vector<std::uint8_t>{1, 2, 3, 4, 1, 2}));
}

TEST(Sweep, NamesSizesExactly) {
  EXPECT_EQ(size_name(255 * kib), "255K");
  EXPECT_EQ(size_name(kib * kib), "1M");
  EXPECT_EQ(size_name(3 * kib * kib * kib), "3G");
  EXPECT_EQ(size_name(1000), "1000");
}

}  // namespace
}  // namespace bench
