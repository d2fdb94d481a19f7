#include "bench/sweep.hpp"

#include <gtest/gtest.h>

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

// Three files of 10 bytes fit into 35: each transfer gets the next one, and then the first again.
TEST(TransferPayload, WalksThroughWholeFiles) {
  auto made = transfer_payload::make({.file_bytes = 10, .walked_bytes = 35, .room = true}, "");
  ASSERT_TRUE(made.ok());
  std::vector<const std::uint8_t*> begins;
  for (int i = 0; i < 4; ++i) {
    begins.push_back((*made)->memory().data());
    EXPECT_EQ(begins.back(), begins[0] + 10 * (i % 3));
  }
  EXPECT_EQ((*made)->room().size(), 10u);
  auto one = transfer_payload::make({.file_bytes = 10, .walked_bytes = 1}, "");
  ASSERT_TRUE(one.ok());
  EXPECT_EQ((*one)->memory().data(), (*one)->memory().data());
}

TEST(Sweep, NamesSizesExactly) {
  EXPECT_EQ(size_name(255 * kib), "255K");
  EXPECT_EQ(size_name(kib * kib), "1M");
  EXPECT_EQ(size_name(3 * kib * kib * kib), "3G");
  EXPECT_EQ(size_name(1000), "1000");
}

}  // namespace
}  // namespace bench
