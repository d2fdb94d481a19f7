#include "bench/histogram_v2.hpp"

#include "codecs/bytes.hpp"

#include "bench/base64.hpp"

#include <gtest/gtest.h>

#include <zlib.h>

#include <string>
#include <vector>

namespace bench {
namespace {

using bytes = std::vector<std::uint8_t>;

std::vector<std::pair<std::int64_t, std::uint64_t>> contents(const histogram& of) {
  std::vector<std::pair<std::int64_t, std::uint64_t>> filled;
  for (const auto& bucket : of.buckets()) filled.emplace_back(bucket.first_ns, bucket.count);
  return filled;
}

/// The parts of an encoded histogram, right by default. Big-endian.
struct parts {
  std::uint32_t outer_cookie = 0x1c849314;
  std::uint32_t cookie = 0x1c849313;
  std::int32_t offset = 0, digits = 3;
  std::int64_t lowest = 1, limit = 3'600'000'000'000;
  std::int32_t extra_length = 0;
  bytes counts = {0x00, 0x02};  // none of value 0, one of value 1

  std::string encoded() const {
    bytes payload(40);
    codecs::store_be(&payload[0], cookie);
    codecs::store_be(&payload[4], static_cast<std::int32_t>(counts.size()) + extra_length);
    codecs::store_be(&payload[8], offset);
    codecs::store_be(&payload[12], digits);
    codecs::store_be(&payload[16], lowest);
    codecs::store_be(&payload[24], limit);
    codecs::store_be(&payload[32], std::uint64_t{0x3ff0000000000000});  // 1.0
    payload.insert(payload.end(), counts.begin(), counts.end());
    uLongf size = compressBound(payload.size());
    bytes whole(8 + size);
    EXPECT_EQ(compress(&whole[8], &size, payload.data(), payload.size()), Z_OK);
    whole.resize(8 + size);
    codecs::store_be(&whole[0], outer_cookie);
    codecs::store_be(&whole[4], static_cast<std::int32_t>(size));
    return encode_base64(whole);
  }
};

std::string complaint(const std::string& text) {
  const auto decoded = decode_v2(text);
  return decoded.ok() ? "" : decoded.status().ToString();
}

// What hdrhistogram 0.10.3 for Python encodes after record_value of 10, 20, 30, 2047, 2048, 5000 and 1,000,000.
TEST(HistogramV2, ReadsWhatHdrhWrote) {
  const auto read = decode_v2("HISTFAAAADB4nJNpmSzMwMAgwAABzFCaEch0M9ixgMH+A0RAmEkQCPfLMzEdFGb6XcUEAKqwB8U=");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->limit_ns(), 3'600'000'000'000);
  EXPECT_EQ(contents(*read), (std::vector<std::pair<std::int64_t, std::uint64_t>>{
                                 {10, 1}, {20, 1}, {30, 1}, {2047, 1}, {2048, 1}, {5000, 1}, {999'936, 1}}));
  EXPECT_EQ(read->recorded(), 7U);
  EXPECT_EQ(read->min_ns(), 10);
  EXPECT_EQ(read->max_ns(), 1'000'447);  // the bucket's end: the exact maximum is not in the format
}

TEST(HistogramV2, ReadsAnEmptyOneOfHdrh) {
  const auto read = decode_v2("HISTFAAAAB14nJNpmSzMgADMUJoRyHQz2LGAwf4DRAAATjkESw==");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->count(), 0U);
}

TEST(HistogramV2, ReadsBackWhatItWrote) {
  histogram made(5'000'000'000);
  for (std::int64_t value = 0; value < 5'000'000'000; value += 1 + value / 7) made.record(value);
  for (int i = 0; i < 100'000; ++i) made.record(77'777);
  made.record(5'000'000'000);
  const auto text = encode_v2(made);
  EXPECT_TRUE(text.starts_with("HISTFAAA")) << text;
  const auto read = decode_v2(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(contents(*read), contents(made));
  EXPECT_EQ(read->limit_ns(), made.limit_ns());

  const auto empty = decode_v2(encode_v2(histogram()));
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_EQ(empty->count(), 0U);
}

// Zigzag: 2^53 is 2^54, seven times seven bits of zero and 0x20; 2^62 is 2^63, eight times and eight bits 0x80. A double tells
// counts apart up to 2^53.
TEST(HistogramV2, CountsUpToWhatADoubleTellsApart) {
  const bytes most{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20};
  const auto read = decode_v2(parts{.counts = most}.encoded());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->recorded(), std::uint64_t{1} << 53);
  const auto again = decode_v2(encode_v2(*read));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->recorded(), std::uint64_t{1} << 53);

  auto one_more = most;
  one_more.push_back(0x02);
  EXPECT_EQ(complaint(parts{.counts = one_more}.encoded()),
            "DATA_LOSS: histogram: it counts more than 2^53 values");
  EXPECT_EQ(complaint(parts{.counts = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}}.encoded()),
            "DATA_LOSS: histogram: it counts more than 2^53 values");
}

TEST(HistogramV2, NamesWhatIsBroken) {
  EXPECT_EQ(complaint(parts{}.encoded()), "");
  EXPECT_EQ(complaint("HISTF!"), "DATA_LOSS: histogram: it is not base64");
  EXPECT_EQ(complaint(""), "DATA_LOSS: histogram: it ends within its cookie");
  EXPECT_EQ(complaint(parts{.outer_cookie = 0x1c849304}.encoded()),
            "DATA_LOSS: histogram: unknown encoding 0x1c849304");
  EXPECT_EQ(complaint(parts{.cookie = 1}.encoded()), "DATA_LOSS: histogram: unknown encoding 0x00000001");
  const auto whole = parts{}.encoded();
  EXPECT_EQ(complaint(whole.substr(0, 24)), "DATA_LOSS: histogram: its length is wrong");
  auto damaged = whole;
  damaged[20] = damaged[20] == 'A' ? 'B' : 'A';
  EXPECT_EQ(complaint(damaged), "DATA_LOSS: histogram: its compressed part is damaged");
  EXPECT_EQ(complaint(parts{.limit = 1}.encoded()), "DATA_LOSS: histogram: its highest value is 1");
  EXPECT_EQ(complaint(parts{.limit = INT64_MAX}.encoded()),
            "DATA_LOSS: histogram: its highest value is 9223372036854775807");
  EXPECT_EQ(complaint(parts{.extra_length = 1}.encoded()),
            "DATA_LOSS: histogram: the length of its counts is wrong");
  EXPECT_EQ(complaint(parts{.counts = {0x80}}.encoded()), "DATA_LOSS: histogram: it ends within a count");
}

// Two digits; and a run of 2^31 empty buckets, which must not be allocated: zigzag 2^32 - 1.
TEST(HistogramV2, RefusesOtherPrecisionsAndHostileLengths) {
  EXPECT_EQ(complaint("HISTFAAAACd4nJNpmSzMwMDAxgABTFCakYGB2c1gxwIG+w8QAWEmQSAEAGmwBIs="),
            "INVALID_ARGUMENT: histogram: 2 digits from 1 ns upwards, where three digits from 1 ns are read");
  EXPECT_EQ(complaint(parts{.counts = {0xff, 0xff, 0xff, 0xff, 0x0f}}.encoded()),
            "DATA_LOSS: histogram: it has more buckets than its highest value needs");
  EXPECT_EQ(complaint(parts{.counts = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}.encoded()),
            "DATA_LOSS: histogram: it has more buckets than its highest value needs");  // -2^63
  // 600 KB of zeros compress to nothing and are more than the largest histogram has.
  EXPECT_EQ(complaint(parts{.counts = bytes(600'000, 0)}.encoded()),
            "DATA_LOSS: histogram: its compressed part is damaged");
}

}  // namespace
}  // namespace bench
