#include "wire/strategy/digest_sink.hpp"
#include "wire/strategy/file_sink.hpp"
#include "wire/strategy/memory_sink.hpp"

#include "tests/wire/temp_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <vector>

namespace {

using codecs::as_bytes;
using wire::file_sink;

TEST(DiscardSink, Counts) {
  wire::discard_sink sink;
  EXPECT_TRUE(sink.put(as_bytes("three")));
  EXPECT_TRUE(sink.put(as_bytes("words")));
  EXPECT_EQ(sink.counters().payload_bytes, 10);
  EXPECT_EQ(sink.counters().copied_bytes, 0u);
}

TEST(MemorySink, KeepsWhatItHasRoomFor) {
  std::vector<std::uint8_t> room(8);
  wire::memory_sink sink(room);
  EXPECT_TRUE(sink.put(as_bytes("three")));
  EXPECT_TRUE(sink.put(as_bytes("two")));
  EXPECT_EQ(codecs::as_text(sink.bytes()), "threetwo");
  EXPECT_EQ(sink.counters().copied_bytes, 8u);
  EXPECT_FALSE(sink.put(as_bytes("!")));
  EXPECT_EQ(sink.why(), "there is room for 8 bytes, and more came");
  EXPECT_EQ(sink.counters().payload_bytes, 8);
}

// FIPS 180-2, appendix B.
TEST(DigestSink, SumsUpWhatItGot) {
  EXPECT_EQ(wire::digest_sink().sha256(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  wire::digest_sink abc;
  EXPECT_TRUE(abc.put(as_bytes("a")));
  EXPECT_TRUE(abc.put(as_bytes("bc")));
  EXPECT_EQ(abc.sha256(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(abc.counters().payload_bytes, 3);
}

TEST(FileSink, WritesOverWhatWasThere) {
  const tests::temp_file file(as_bytes("something longer"));
  file_sink sink;
  ASSERT_TRUE(sink.open(file.path()));
  EXPECT_TRUE(sink.put(as_bytes("three")));
  EXPECT_TRUE(sink.put(as_bytes("two")));
  EXPECT_TRUE(sink.close(file_sink::durability::disk));
  std::ifstream stream(file.path());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "threetwo");
  EXPECT_EQ(sink.counters().payload_bytes, 8);
  EXPECT_EQ(sink.counters().syscalls, 5u);  // open, two writes, fsync, close
  EXPECT_EQ(sink.counters().copied_bytes, 0u);
}

TEST(FileSink, TellsWhyAFileCannotBeMade) {
  file_sink sink;
  EXPECT_FALSE(sink.open("/no/such/folder/file"));
  EXPECT_EQ(sink.why(), "/no/such/folder/file: No such file or directory");
}

TEST(FileSink, TellsThatTheDiskIsFull) {
  file_sink sink;
  ASSERT_TRUE(sink.open("/dev/full"));  // each write to it answers ENOSPC, full(4)
  EXPECT_FALSE(sink.put(as_bytes("three")));
  EXPECT_EQ(sink.why(), "/dev/full: No space left on device, after 0 bytes");
}

}  // namespace
