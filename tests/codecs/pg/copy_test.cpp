#include "codecs/pg/copy.hpp"

#include "tests/codecs/pg/codec.hpp"
#include "tests/codecs/pg/script.hpp"

#include <gtest/gtest.h>

namespace codecs::pg {
namespace {

using token = copy_reader::token;

constexpr std::string_view head = " 5047434f50590aff0d0a00 00000000 00000000 ";
constexpr std::string_view trailer = " ffff ";

/// The tokens of a stream that comes in pieces of `piece` bytes: (columns) and {size: payload}, then . for the end and ! for a break.
std::string tokens_of(std::string_view stream, std::size_t piece) {
  const auto bytes = tests::hex(stream);
  copy_reader reader;
  std::string seen;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    auto left = bytes_view(bytes).subspan(at, std::min(piece, bytes.size() - at));
    while (true) {
      const auto what = reader.next(left);
      if (what == token::more) {
        EXPECT_TRUE(left.empty());
        break;
      }
      if (what == token::row) seen += "(" + std::to_string(reader.columns()) + ")";
      if (what == token::field)
        seen += reader.is_null() ? "{NULL}" : "{" + std::to_string(reader.size()) + "}";
      if (what == token::payload) seen += as_text(reader.piece());
      if (what == token::end) seen += '.';
      if (what == token::broken) {
        EXPECT_EQ(reader.bad().code, errc::remote_bad_value);
        return seen + '!' + reader.bad().field;
      }
    }
  }
  return seen;
}

void expect_tokens(std::initializer_list<std::string_view> stream, std::string_view expected) {
  for (const std::size_t piece : {1, 2, 3, 7, 1000}) {
    EXPECT_EQ(tokens_of(tests::all(stream), piece), expected) << piece;
  }
}

TEST(PgCopy, ResponsesOfBothDirections) {
  tests::check_codec(
      tests::pg_codec<copy_response>(
          direction::to_client, [](writer& out) { encode_copy_response(out, reply::copy_in_response, 3); },
          [](const copy_response& got) {
            EXPECT_EQ(got.all, format::binary);
            EXPECT_EQ(got.columns.size(), 3u);
            EXPECT_EQ(got.columns[2], format::binary);
          }),
      tests::hex("47 0000000d 01 0003 0001 0001 0001"));
  copy_response ignored;
  EXPECT_EQ(decode(tests::hex("48 00000007 02 0000"), ignored).code, errc::remote_bad_value);
  EXPECT_EQ(decode(tests::hex("48 00000009 01 0001 0002"), ignored).code, errc::remote_bad_value);
}

TEST(PgCopy, Fail) {
  tests::check_codec(tests::pg_codec<copy_fail>(
                         direction::to_server, [](writer& out) { encode(out, copy_fail{"no"}); },
                         [](const copy_fail& got) { EXPECT_EQ(got.text, "no"); }),
                     tests::hex("66 00000007 6e6f00"));
}

TEST(PgCopyReader, TakesRowsApartHoweverTheyAreCut) {
  expect_tokens({head, "0002 00000003 616263 ffffffff", "0001 00000000", "0000", trailer},
                "(2){3}abc{NULL}(1){0}(0).");
}

TEST(PgCopyReader, SkipsAnExtensionAndFlagsThatMayBeIgnored) {
  expect_tokens({"5047434f50590aff0d0a00 0000ffff 00000003 aabbcc", "0001 00000001 61", trailer}, "(1){1}a.");
}

TEST(PgCopyReader, RefusesWhatNoReaderMayTake) {
  expect_tokens({"5047434f50590aff0d0a01 00000000 00000000"}, "!COPY signature");
  expect_tokens({"5047434f50590aff0d0a00 00010000 00000000"}, "!COPY head");
  expect_tokens({"5047434f50590aff0d0a00 00000000 ffffffff"}, "!COPY head");
  expect_tokens({head, "fffe"}, "!field count");
  expect_tokens({head, "0001 fffffffe"}, "(1)!field length");
  expect_tokens({head, trailer, "00"}, ".!bytes behind the trailer");
}

TEST(PgCopyReader, SaysHowMuchOfAFieldIsToCome) {
  const auto bytes = tests::hex(tests::all({head, "0001 7fffffff 6162"}));
  copy_reader reader;
  auto left = bytes_view(bytes);
  while (reader.next(left) != token::more) EXPECT_LE(left.size(), bytes.size());
  EXPECT_EQ(reader.payload_left(), 0x7fffffffu - 2);
  EXPECT_FALSE(reader.at_end());
}

}  // namespace
}  // namespace codecs::pg
