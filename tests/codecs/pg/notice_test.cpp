#include "codecs/pg/notice.hpp"

#include "tests/codecs/pg/codec.hpp"

#include <gtest/gtest.h>

namespace codecs::pg {
namespace {

using tests::hex;
using tests::pg_codec;

TEST(PgNotice, ErrorResponsePassesTheFiveChecks) {
  tests::check_codec(pg_codec<notice>(
                         direction::to_client,
                         [](writer& out) {
                           encode(out, reply::error_response, notice{"ERROR", "42601", "no", "d", "h"});
                         },
                         [](const notice& m) {
                           EXPECT_EQ(m.severity, "ERROR");
                           EXPECT_EQ(m.code, "42601");
                           EXPECT_EQ(m.message, "no");
                           EXPECT_EQ(m.detail, "d");
                           EXPECT_EQ(m.hint, "h");
                           EXPECT_EQ(m.text(), "ERROR: no (42601)");
                           EXPECT_FALSE(m.fatal());
                         }),
                     hex(R"(
        45 00000024      # length 36
        53 4552524f5200  # S ERROR
        56 4552524f5200  # V ERROR
        43 343236303100  # C 42601
        4d 6e6f00        # M no
        44 6400          # D d
        48 6800          # H h
        00               # end of the fields
      )"));
}

TEST(PgNotice, UnknownFieldsAreSkippedAndTheUntranslatedSeverityCounts) {
  const auto frame = hex(R"(
    45 00000021
    53 46454c4b00    # S FELK: translated
    56 464154414c00  # V FATAL
    7a 7a7a00        # a field that nobody knows
    43 353750303100  # C 57P01
    4d 7800 00       # M x
  )");
  notice m;
  ASSERT_FALSE(decode(frame, m));
  EXPECT_EQ(m.severity, "FATAL");
  EXPECT_TRUE(m.fatal());
  EXPECT_EQ(m.code, "57P01");
  EXPECT_EQ(m.message, "x");
}

TEST(PgNotice, TheSeverityMayComeInEitherOrder) {
  const auto frame = hex("4e 00000010 56 504100 53 58595a00 4d 00 00");  // V PA, S XYZ, M ""
  notice m;
  ASSERT_FALSE(decode(frame, m));
  EXPECT_EQ(m.severity, "PA");
}

TEST(PgNotice, FieldsMustEnd) {
  notice m;
  EXPECT_EQ(decode(hex("45 00000004"), m).code, errc::remote_truncated);
  EXPECT_EQ(decode(hex("45 00000007 4d 7800"), m).code, errc::remote_truncated);
  EXPECT_EQ(decode(hex("45 00000006 00 00"), m).code, errc::remote_trailing_bytes);
}

TEST(PgNotice, NotificationPassesTheFiveChecks) {
  tests::check_codec(pg_codec<notification>(
                         direction::to_client,
                         [](writer& out) {
                           encode(out, notification{42, "ch", "p"});
                         },
                         [](const notification& m) {
                           EXPECT_EQ(m.pid, 42);
                           EXPECT_EQ(m.channel, "ch");
                           EXPECT_EQ(m.payload, "p");
                         }),
                     hex("41 0000000d 0000002a 636800 7000"));
}

}  // namespace
}  // namespace codecs::pg
