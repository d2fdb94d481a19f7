#include "codecs/pg/query.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/codecs/pg/codec.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace codecs::pg {
namespace {

using tests::hex;
using tests::pg_codec;

constexpr auto to_client = direction::to_client;

TEST(PgQuery, QueryPassesTheFiveChecks) {
  tests::check_codec(pg_codec<query>(
                         direction::to_server, [](writer& out) { encode(out, query{"SELECT 1"}); },
                         [](const query& m) { EXPECT_EQ(m.text, "SELECT 1"); }),
                     hex("51 0000000d 53454c454354203100"));
}

// Case S11: the length is right for a frame, but a Query needs its NUL.
TEST(PgQuery, AQueryWithoutItsNulIsRefused) {
  query m;
  EXPECT_EQ(decode(hex("51 00000004"), m).code, errc::remote_truncated);
  EXPECT_EQ(decode(hex("51 00000006 3b3b"), m).code, errc::remote_truncated);
}

TEST(PgQuery, RowDescriptionPassesTheFiveChecks) {
  tests::check_codec(pg_codec<row_description>(
                         to_client,
                         [](writer& out) {
                           const column columns[] = {{"id", 16384, 1, 23, 4, -1, format::binary},
                                                     {"b", 0, 0, 17, -1, -1, format::text}};
                           encode_row_description(out, columns);
                         },
                         [](const row_description& m) {
                           ASSERT_EQ(m.size(), 2u);
                           auto at = m.begin();
                           EXPECT_EQ(at->name, "id");
                           EXPECT_EQ(at->table, 16384u);
                           EXPECT_EQ(at->attribute, 1);
                           EXPECT_EQ(at->type, 23u);
                           EXPECT_EQ(at->type_size, 4);
                           EXPECT_EQ(at->modifier, -1);
                           EXPECT_EQ(at->encoding, format::binary);
                           ++at;
                           EXPECT_EQ(at->name, "b");
                           EXPECT_EQ(at->type, 17u);
                           EXPECT_EQ(at->type_size, -1);
                           ++at;
                           EXPECT_TRUE(at == m.end());
                         }),
                     hex(R"(
                       54 0000002f  # length 47
                       0002         # columns
                       696400 00004000 0001 00000017 0004 ffffffff 0001
                       6200   00000000 0000 00000011 ffff ffffffff 0000
                     )"));
}

TEST(PgQuery, ColumnCountsAreUnsigned) {
  row_description m;
  EXPECT_EQ(decode(hex("54 00000006 ffff"), m).code, errc::remote_truncated);
  EXPECT_EQ(m.size(), 0u);
  ASSERT_FALSE(decode(hex("54 00000006 0000"), m));
  EXPECT_TRUE(m.begin() == m.end());
}

TEST(PgQuery, AFormatOtherThanTextAndBinaryIsRefused) {
  row_description m;
  EXPECT_EQ(decode(hex("54 0000001a 0001 6200 00000000 0000 00000011 ffff ffffffff 0002"), m).code,
            errc::remote_bad_value);
}

TEST(PgQuery, DataRowPassesTheFiveChecks) {
  tests::check_codec(pg_codec<data_row>(
                         to_client,
                         [](writer& out) {
                           const value values[] = {as_bytes("ab"), {}, as_bytes("")};
                           encode_data_row(out, values);
                         },
                         [](const data_row& m) {
                           ASSERT_EQ(m.values.size(), 3u);
                           auto at = m.values.begin();
                           EXPECT_EQ(as_text(**at), "ab");
                           ++at;
                           EXPECT_FALSE(*at);
                           ++at;
                           ASSERT_TRUE(*at);
                           EXPECT_TRUE((**at).empty());
                           ++at;
                           EXPECT_TRUE(at == m.values.end());
                         }),
                     hex(R"(
                       44 00000014    # length 20
                       0003           # columns
                       00000002 6162  # ab
                       ffffffff       # NULL
                       00000000       # empty
                     )"));
}

TEST(PgQuery, ValueLengthsBelowMinusOneAreRefused) {
  data_row m;
  EXPECT_EQ(decode(hex("44 0000000a 0001 fffffffe"), m).code, errc::remote_bad_value);
  EXPECT_EQ(decode(hex("44 0000000a 0001 80000000"), m).code, errc::remote_bad_value);
  EXPECT_EQ(decode(hex("44 0000000a 0001 7fffffff"), m).code, errc::remote_truncated);
  EXPECT_EQ(decode(hex("44 00000006 ffff"), m).code, errc::remote_truncated);
  EXPECT_EQ(m.values.size(), 0u);
}

TEST(PgQuery, A65536thColumnIsRefusedHere) {
  wire::gather_buffer out;
  writer to(out);
  encode_data_row(to, std::vector<value>(65'536));
  EXPECT_EQ(to.finish().code, errc::local_too_many_parameters);
}

TEST(PgQuery, CommandCompletePassesTheFiveChecks) {
  tests::check_codec(pg_codec<command_complete>(
                         to_client, [](writer& out) { encode(out, command_complete{"INSERT 0 1"}); },
                         [](const command_complete& m) { EXPECT_EQ(m.tag, "INSERT 0 1"); }),
                     hex("43 0000000f 494e53455254203020 3100"));
}

}  // namespace
}  // namespace codecs::pg
