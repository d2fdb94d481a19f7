#include "codecs/chunk_flight.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/support/hex.hpp"

#include <gtest/gtest.h>

namespace codecs {
namespace {

class ChunkFlight : public testing::Test {
 protected:
  const tests::bytes content_ = tests::bytes(10, 'x');
  tests::text_source source_{content_};
  chunk_flight flight_;
};

TEST_F(ChunkFlight, TakesWhatItsWindowHolds) {
  flight_.begin(source_, 3, 6);
  std::size_t taken = 0;
  for (; flight_.has_room(); ++taken) EXPECT_EQ(flight_.take().size(), 3u);
  EXPECT_EQ(taken, 2);
  EXPECT_EQ(flight_.bytes_in_flight(), 6);
  EXPECT_EQ(flight_.oldest(), 0);
  EXPECT_EQ(flight_.next(), 6);

  flight_.acknowledge();
  EXPECT_EQ(source_.released, 1);
  EXPECT_EQ(flight_.oldest(), 3);
  EXPECT_TRUE(flight_.has_room());
  EXPECT_EQ(flight_.take().size(), 3u);
  EXPECT_FALSE(flight_.has_room());

  flight_.acknowledge();
  EXPECT_EQ(flight_.take().size(), 1u);  // the last one
  EXPECT_TRUE(flight_.all_taken());
  EXPECT_FALSE(flight_.has_room());
  flight_.acknowledge();
  EXPECT_EQ(flight_.oldest_bytes(), 1u);
  flight_.acknowledge();
  EXPECT_EQ(flight_.bytes_in_flight(), 0);
  EXPECT_EQ(source_.released, 4);
}

TEST_F(ChunkFlight, TakesOneChunkThroughAWindowThatIsSmaller) {
  flight_.begin(source_, 4, 1);
  EXPECT_TRUE(flight_.has_room());
  flight_.take();
  EXPECT_FALSE(flight_.has_room());
  flight_.acknowledge();
  EXPECT_TRUE(flight_.has_room());
}

TEST_F(ChunkFlight, TakesNoMoreThanItsSourceAllows) {
  source_.most = 2;
  flight_.begin(source_, 3, 1'000'000);
  flight_.take();
  EXPECT_TRUE(flight_.has_room());
  flight_.take();
  EXPECT_FALSE(flight_.has_room());
  flight_.acknowledge();
  EXPECT_TRUE(flight_.has_room());
}

TEST_F(ChunkFlight, AnEmptyFileHasNoChunk) {
  tests::text_source empty{bytes_view()};
  flight_.begin(empty, 4, 4);
  EXPECT_TRUE(flight_.all_taken());
  EXPECT_FALSE(flight_.has_room());
}

TEST_F(ChunkFlight, AWindowWithoutAnEndHasOne) {
  const tests::bytes block(std::size_t{1} << 20);
  tests::sparse_source source(std::int64_t{10} << 30, block);
  flight_.begin(source, std::size_t{1} << 20, SIZE_MAX);
  while (flight_.has_room()) flight_.take();
  EXPECT_EQ(flight_.bytes_in_flight(), 256 << 20);
}

TEST_F(ChunkFlight, ASourceThatFailsIsNotInFlight) {
  tests::text_source shrunk(content_);
  shrunk.good = 1;
  flight_.begin(shrunk, 3, 100);
  EXPECT_EQ(flight_.take().size(), 3u);
  EXPECT_TRUE(flight_.take().empty());
  EXPECT_EQ(flight_.bytes_in_flight(), 3);
  EXPECT_EQ(flight_.next(), 3);
}

}  // namespace
}  // namespace codecs
