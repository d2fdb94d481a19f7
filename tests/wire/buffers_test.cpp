#include "codecs/writer.hpp"

#include "wire/strategy/gather.hpp"
#include "wire/strategy/mirrored.hpp"
#include "wire/strategy/staged.hpp"

#include "tests/support/allocations.hpp"

#include <gtest/gtest.h>

namespace {

TEST(StagedBuffer, KeepsUnreadBytesAcrossMovesAndGrowth) {
  wire::staged_buffer buffer(100'000);
  auto room = buffer.prepare(10);
  std::fill_n(room.begin(), 10, 7);
  buffer.commit(10);
  buffer.consume(4);
  room = buffer.prepare(50'000);
  ASSERT_GE(room.size(), 50'000u);
  ASSERT_EQ(buffer.data().size(), 6u);
  EXPECT_EQ(buffer.data()[5], 7);
  EXPECT_EQ(buffer.copied_bytes(), 6u);  // those that were unread moved
}

TEST(StagedBuffer, AnswersNothingOverItsLimit) {
  wire::staged_buffer buffer(1000);
  EXPECT_FALSE(buffer.prepare(1000).empty());
  EXPECT_TRUE(buffer.prepare(1001).empty());
  buffer.prepare(600);
  buffer.commit(600);
  EXPECT_TRUE(buffer.prepare(401).empty());
  EXPECT_GE(buffer.prepare(400).size(), 400u);
}

void receive(codecs::receive_buffer& buffer, codecs::bytes_view bytes) {
  const auto room = buffer.prepare(bytes.size());
  ASSERT_GE(room.size(), bytes.size());
  std::ranges::copy(bytes, room.begin());
  buffer.commit(bytes.size());
}

// 40,000 bytes are always unread, and pass the end of 64 KiB many times over.
TEST(MirroredBuffer, WrapsAroundWithoutMovingAByte) {
  const auto made = wire::mirrored_buffer::make();
  ASSERT_NE(made, nullptr);
  auto& buffer = *made;
  std::vector<std::uint8_t> bytes(1'000'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i / 255 + i);
  const codecs::bytes_view all(bytes);
  receive(buffer, all.first(40'000));
  for (std::size_t at = 0; at < 950'000; at += 10'000) {
    receive(buffer, all.subspan(at + 40'000, 10'000));
    ASSERT_TRUE(std::ranges::equal(buffer.data(), all.subspan(at, 50'000))) << at;
    const auto* const second = buffer.data().data() + 10'000;
    buffer.consume(10'000);
    ASSERT_EQ(buffer.data().data(), second) << "views stay";
  }
  EXPECT_EQ(buffer.copied_bytes(), 0u);
}

TEST(MirroredBuffer, KeepsUnreadBytesWhenItGrows) {
  const auto made = wire::mirrored_buffer::make();
  ASSERT_NE(made, nullptr);
  const std::vector<std::uint8_t> first(60'000, '1'), second(50'000, '2');
  receive(*made, first);
  made->consume(59'000);
  receive(*made, second);  // wraps around
  EXPECT_EQ(made->copied_bytes(), 0u);
  receive(*made, first);
  EXPECT_EQ(made->copied_bytes(), 51'000u);
  ASSERT_EQ(made->data().size(), 111'000u);
  EXPECT_EQ(made->data()[999], '1');
  EXPECT_EQ(made->data()[1000], '2');
  EXPECT_EQ(made->data()[50'999], '2');
  EXPECT_EQ(made->data()[51'000], '1');
}

TEST(MirroredBuffer, AnswersNothingOverItsLimit) {
  const auto made = wire::mirrored_buffer::make(1000);
  ASSERT_NE(made, nullptr);
  auto& buffer = *made;
  EXPECT_FALSE(buffer.prepare(1000).empty());
  EXPECT_TRUE(buffer.prepare(1001).empty());
  buffer.prepare(600);
  buffer.commit(600);
  EXPECT_TRUE(buffer.prepare(401).empty());
  EXPECT_EQ(buffer.prepare(400).size(), 400u);
}

TEST(GatherBuffer, BorrowsLargePayloadAndCopiesSmall) {
  wire::gather_buffer buffer;
  const std::vector<std::uint8_t> large(4096, 'l'), small(10, 's');
  buffer.prepare(4);
  buffer.commit(4);
  ASSERT_TRUE(buffer.refer(large));
  ASSERT_TRUE(buffer.refer(small));
  const auto segments = buffer.segments();
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(segments[1].data(), large.data());
  EXPECT_EQ(segments[2].size(), 10u);
  EXPECT_EQ(buffer.size(), 4 + 4096 + 10u);
  EXPECT_EQ(buffer.copied_bytes(), 10u);
}

TEST(GatherBuffer, AnswersNothingOverItsLimit) {
  wire::gather_buffer buffer(5000);
  const std::vector<std::uint8_t> large(4096, 'l');
  EXPECT_TRUE(buffer.refer(large));
  EXPECT_FALSE(buffer.refer(large));
  EXPECT_TRUE(buffer.prepare(1000).empty());
}

TEST(GatherBuffer, KeepsItsSegmentsWhenItGrows) {
  wire::gather_buffer buffer;
  const std::vector<std::uint8_t> large(4096, 'l');
  const auto append = [&](std::size_t size, std::uint8_t value) {
    auto room = buffer.prepare(size);
    std::fill_n(room.begin(), size, value);
    buffer.commit(size);
  };
  append(100, 'a');
  ASSERT_TRUE(buffer.refer(large));
  append(100, 'b');
  append(100'000, 'c');  // far more than the first block holds
  const auto segments = buffer.segments();
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(segments[0].size(), 100u);
  EXPECT_EQ(segments[0][99], 'a');
  EXPECT_EQ(segments[1].data(), large.data());
  ASSERT_EQ(segments[2].size(), 100'100u);
  EXPECT_EQ(segments[2][99], 'b');
  EXPECT_EQ(segments[2][100], 'c');
}

TEST(GatherBuffer, DropsWhatWasSent) {
  wire::gather_buffer buffer;
  const std::vector<std::uint8_t> large(4096, 'l');
  buffer.prepare(4);
  buffer.commit(4);
  ASSERT_TRUE(buffer.refer(large));
  buffer.prepare(8);
  buffer.commit(8);
  EXPECT_EQ(buffer.consume(0), 4108u);
  EXPECT_EQ(buffer.consume(3), 4105u);
  EXPECT_EQ(buffer.encoded_size(), 9u);
  EXPECT_EQ(buffer.segments()[0].size(), 1u);
  EXPECT_EQ(buffer.consume(1 + 4000), 104u);
  ASSERT_EQ(buffer.segments().size(), 2u);
  EXPECT_EQ(buffer.segments()[0].data(), large.data() + 4000);
  EXPECT_EQ(buffer.segments()[0].size(), 96u);
  EXPECT_EQ(buffer.encoded(0), buffer.segments()[1].data());
  EXPECT_EQ(buffer.consume(96), 8u);
  EXPECT_EQ(buffer.encoded_size(), 8u);
  EXPECT_EQ(buffer.consume(8), 0u);
  EXPECT_EQ(buffer.size(), 0u);
  EXPECT_TRUE(buffer.segments().empty());
}

// An upload goes on encoding while it sends: 16 messages are there at any time, numbered from 0, and all that is asked of the
// buffer is about those. A limit of a thousandth of all bytes says the same.
TEST(GatherBuffer, StaysSmallThoughItNeverRunsEmpty) {
  wire::gather_buffer buffer(64 * 1024);
  const std::vector<std::uint8_t> payload(2000, 'p');
  std::uint64_t encoded = 0;
  const auto encode = [&] {
    codecs::writer out(buffer);
    const auto length = out.begin_length();
    out.le(encoded++);
    out.refer(payload);
    out.end_le(length);
    ASSERT_FALSE(out.finish());
  };
  while (encoded < 16) encode();

  std::uint64_t sent = 0;
  std::uint64_t warm = 0;
  while (sent < 30'000) {
    if (sent == 1000) warm = tests::allocations();
    const auto segments = buffer.segments();
    ASSERT_EQ(segments.size(), 32u);
    ASSERT_EQ(segments[0].size(), 12u);
    ASSERT_EQ(codecs::load_le<std::int32_t>(segments[0].data()), 2012);
    ASSERT_EQ(codecs::load_le<std::uint64_t>(segments[0].data() + 4), sent);
    ASSERT_EQ(segments[1].data(), payload.data());
    buffer.consume(5);
    buffer.consume(1000);
    ASSERT_EQ(buffer.consume(1007), 15 * 2012u);
    ++sent;
    encode();
  }
  EXPECT_EQ(tests::allocations() - warm, 0u);
}

TEST(Writer, PatchesALengthThatSpansBorrowedPayload) {
  wire::gather_buffer buffer;
  const std::vector<std::uint8_t> large(4096, 'l');
  codecs::writer out(buffer);
  out.u8('F');
  const auto length = out.begin_length();
  out.refer(large);
  out.be<std::int16_t>(1);
  out.end_be(length);
  ASSERT_FALSE(out.finish());
  EXPECT_EQ(codecs::load_be<std::int32_t>(buffer.segments()[0].data() + 1), 4 + 4096 + 2);
}

TEST(Writer, RemembersItsFirstError) {
  wire::gather_buffer buffer(300);
  codecs::writer out(buffer);
  out.cstring(std::string_view("a\0b", 3), "name");
  const std::vector<std::uint8_t> large(4096, 'l');
  out.refer(large);
  const auto fault = out.finish();
  EXPECT_EQ(fault.code, codecs::errc::local_bad_value);
  EXPECT_STREQ(fault.field, "name");
}

TEST(Writer, RefusesWhatPassesTheBuffersLimit) {
  wire::gather_buffer buffer(300);
  codecs::writer out(buffer);
  const std::vector<std::uint8_t> large(4096, 'l');
  out.bytes(large);
  EXPECT_EQ(out.finish().code, codecs::errc::local_message_too_long);
}

}  // namespace
