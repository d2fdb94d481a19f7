#include "codecs/chunk_layout.hpp"

#include <gtest/gtest.h>

namespace codecs {
namespace {

chunk_layout layout(std::int64_t file_bytes, std::int64_t chunk_bytes) {
  return {file_bytes, chunk_bytes};
}

TEST(ChunkLayout, CountsWholeAndShortChunks) {
  EXPECT_EQ(layout(0, 3).count(), 0);
  EXPECT_EQ(layout(1, 3).count(), 1);
  EXPECT_EQ(layout(3, 3).count(), 1);
  EXPECT_EQ(layout(4, 3).count(), 2);
  EXPECT_EQ(layout(8194, 4097).count(), 2) << "case C17: an exact multiple has no empty tail";

  // Files of the driver benchmark in chunks of 255 KiB.
  EXPECT_EQ(layout(52'428'800, 261'120).count(), 201);
  EXPECT_EQ(layout(52'428'800, 261'120).bytes_of(200), 204'800u);
  EXPECT_EQ(layout(5'242'880, 261'120).count(), 21);
  EXPECT_EQ(layout(5'242'880, 261'120).bytes_of(20), 20'480u);
}

// Case C18: 64 bits everywhere.
TEST(ChunkLayout, CountsPastTwoGibibytes) {
  EXPECT_EQ(layout(2'147'483'649, 1).count(), 2'147'483'649);
  EXPECT_EQ(layout(0x7fffffffffffffff, 1).count(), 0x7fffffffffffffff);
  EXPECT_EQ(layout(0x7fffffffffffffff, 0x7fffffffffffffff).count(), 1);
  EXPECT_EQ(layout(3'221'225'473, 16 * 1024 * 1024).bytes_of(192), 1u);
}

TEST(ChunkLayout, KnowsTheSizeOfEachChunk) {
  EXPECT_EQ(layout(7, 3).size_at(0), 3u);
  EXPECT_EQ(layout(7, 3).size_at(3), 3u);
  EXPECT_EQ(layout(7, 3).size_at(6), 1u);
  EXPECT_EQ(layout(7, 3).size_at(7), 0u);
  EXPECT_EQ(layout(3, 10).size_at(0), 3u);
  EXPECT_EQ(layout(8, 4).bytes_of(1), 4u);
  EXPECT_EQ(layout(5, 4).bytes_of(1), 1u);
}

TEST(ChunkLayout, NamesAChunkByItsNumberAndItsPlace) {
  EXPECT_EQ(layout(1'000'000, 262'144).name(786'432), "chunk 3 (from byte 786432 on)");
}

}  // namespace
}  // namespace codecs
