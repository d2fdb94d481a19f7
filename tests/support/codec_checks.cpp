#include "tests/support/codec_checks.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/support/hex.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace tests {
namespace {

using codecs::bytes_view;
using codecs::fault;

// A copy of `data` in a heap block of exactly its size.
class exact_block {
 public:
  explicit exact_block(bytes_view data) : bytes_(new std::uint8_t[data.size()]), size_(data.size()) {
    std::ranges::copy(data, bytes_.get());
  }
  bytes_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t size_;
};

std::string describe(const fault& found) {
  return codecs::make_error_code(found.code).message() + " (" + found.field + ")";
}

void check_whole(const codec& codec, bytes_view frame) {
  SCOPED_TRACE("whole");
  if (codec.encode) {
    wire::gather_buffer out;
    const fault error = codec.encode(out);
    EXPECT_FALSE(error) << describe(error);
    EXPECT_EQ(to_hex(flatten(out)), to_hex(frame));
  }
  const exact_block block(frame);
  EXPECT_EQ(codec.scan(block.view()).size, frame.size());
  const fault error = codec.decode(block.view());
  EXPECT_FALSE(error) << describe(error);
}

void check_byte_by_byte(const codec& codec, bytes_view frame) {
  SCOPED_TRACE("byte by byte");
  for (std::size_t there = 0; there < frame.size(); ++there) {
    const exact_block block(frame.first(there));
    const auto found = codec.scan(block.view());
    ASSERT_FALSE(found.error) << there << " bytes: " << describe(found.error);
    ASSERT_EQ(found.size, 0u) << "a frame of " << there << " bytes";
    ASSERT_GE(found.need, 1u) << there << " bytes";
    ASSERT_LE(found.need, frame.size() - there) << there << " bytes: asks for more than the frame has";
  }
}

void check_trailing(const codec& codec, bytes_view frame) {
  SCOPED_TRACE("trailing bytes");
  bytes followed(frame.begin(), frame.end());
  followed.insert(followed.end(), frame.begin(), frame.end());
  followed.push_back(0xff);
  EXPECT_EQ(codec.scan(followed).size, frame.size());
}

void check_one_short(const codec& codec, bytes_view frame) {
  SCOPED_TRACE("one byte short");
  bytes cut(frame.begin(), frame.end() - 1);
  const auto counted = static_cast<std::int32_t>(cut.size() - codec.length.counted_from);
  auto* field = cut.data() + codec.length.at;
  codec.length.big_endian ? codecs::store_be(field, counted) : codecs::store_le(field, counted);

  const exact_block block(cut);
  const auto found = codec.scan(block.view());
  if (found.error) return;
  ASSERT_EQ(found.size, cut.size());
  EXPECT_TRUE(codec.decode(block.view())) << "a frame without its last byte was accepted";
}

}  // namespace

std::vector<std::uint8_t> flatten(codecs::send_buffer& out) {
  bytes all;
  for (const bytes_view segment : out.segments()) all.insert(all.end(), segment.begin(), segment.end());
  return all;
}

void check_codec(const codec& codec, bytes_view frame) {
  check_whole(codec, frame);
  check_byte_by_byte(codec, frame);
  check_trailing(codec, frame);
  if (!codec.open_ended) check_one_short(codec, frame);
}

}  // namespace tests
