#include "codecs/pg/auth.hpp"

#include "tests/codecs/pg/codec.hpp"

#include <gtest/gtest.h>

namespace codecs::pg {
namespace {

using tests::hex;
using tests::pg_codec;

TEST(PgAuth, OkPassesTheFiveChecks) {
  tests::check_codec(pg_codec<authentication>(
                         direction::to_client, [](writer& out) { encode(out, authentication{}); },
                         [](const authentication& m) { EXPECT_EQ(m.method, authentication_method::ok); }),
                     hex("52 00000008 00000000"));
}

TEST(PgAuth, Md5PasswordPassesTheFiveChecks) {
  tests::check_codec(pg_codec<authentication>(
                         direction::to_client,
                         [](writer& out) {
                           encode(out, authentication{authentication_method::md5_password, {1, 2, 3, 4}, {}});
                         },
                         [](const authentication& m) {
                           EXPECT_EQ(m.method, authentication_method::md5_password);
                           EXPECT_EQ(m.salt, (md5_salt{1, 2, 3, 4}));
                         }),
                     hex("52 0000000c 00000005 01020304"));  // length 12, sub-code 5, salt
}

TEST(PgAuth, WhatIsNotSpokenCanBeNamed) {
  authentication m;
  ASSERT_FALSE(
      decode(hex("52 00000017 0000000a 534352414d2d5348412d323536 00 00"), m));  // SASL: SCRAM-SHA-256
  EXPECT_EQ(m.method, authentication_method::sasl);
  EXPECT_EQ(m.data.size(), 15u);
  EXPECT_STREQ(name_of(m.method), "SCRAM authentication");
  ASSERT_FALSE(decode(hex("52 00000008 00000007"), m));
  EXPECT_STREQ(name_of(m.method), "GSSAPI authentication");
  EXPECT_STREQ(name_of(static_cast<authentication_method>(99)), "an unknown kind of authentication");
}

TEST(PgAuth, PasswordMessagePassesTheFiveChecks) {
  tests::check_codec(pg_codec<password_message>(
                         direction::to_server, [](writer& out) { encode(out, password_message{"secret"}); },
                         [](const password_message& m) { EXPECT_EQ(m.password, "secret"); }),
                     hex("70 0000000b 73656372657400"));
}

// Computed with Python's hashlib: md5(md5("secretme") as hex + 01 02 03 04).
TEST(PgAuth, Md5ResponseIsHashedTwice) {
  EXPECT_EQ(md5_password("me", "secret", {1, 2, 3, 4}), "md58322d584bf59f0253d58346307bb6ba3");
}

}  // namespace
}  // namespace codecs::pg
