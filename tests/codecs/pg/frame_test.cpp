#include "codecs/pg/frame.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/support/hex.hpp"

#include <gtest/gtest.h>

namespace codecs::pg {
namespace {

using tests::hex;

scan_result from_client(std::string_view bytes) {
  return scan_typed(hex(bytes), direction::to_server);
}
scan_result from_server(std::string_view bytes) {
  return scan_typed(hex(bytes), direction::to_client);
}

// Case C19: cut after the type, inside the length, inside the body; and two messages glued.
TEST(PgFrame, AsksForWhatIsMissing) {
  EXPECT_EQ(from_client("").need, 5u);
  EXPECT_EQ(from_client("51").need, 4u);
  EXPECT_EQ(from_client("51 000000").need, 1u);
  EXPECT_EQ(from_client("51 00000006").need, 2u);
  EXPECT_EQ(from_client("51 00000006 3b").need, 1u);
  EXPECT_EQ(from_client("51 00000006 3b00").size, 7u);
  EXPECT_EQ(from_client("51 00000006 3b00 53 00000004").size, 7u);
}

// Case S11.
TEST(PgFrame, RefusesImpossibleLengthsOnTheHeadAlone) {
  EXPECT_EQ(from_client("51 00000003").error.code, errc::remote_bad_length);
  EXPECT_EQ(from_client("51 3fffffff").error.code, errc::remote_bad_length);
  EXPECT_EQ(from_client("51 40000000").error.code, errc::remote_bad_length);
  EXPECT_EQ(from_client("51 ffffffff").error.code, errc::remote_bad_length);
  EXPECT_STREQ(from_client("51 ffffffff").error.field, "message length");
  EXPECT_EQ(from_client("51 00000004").size, 5u);  // a frame, though no Query
  EXPECT_EQ(from_client("51 3ffffffe").need, 0x3ffffffau);
}

TEST(PgFrame, BoundsRequestsByType) {
  for (const std::string_view large : {"51", "46", "42", "50", "64"}) {  // Q F B P d
    EXPECT_FALSE(from_client(std::string(large) + "3ffffffe").error) << large;
    EXPECT_TRUE(from_client(std::string(large) + "3fffffff").error) << large;
  }
  for (const std::string_view small : {"44", "45", "43", "48", "53", "58", "70", "63", "66"}) {
    EXPECT_FALSE(from_client(std::string(small) + "00002710").error) << small;  // 10,000
    EXPECT_TRUE(from_client(std::string(small) + "00002711").error) << small;
  }
}

TEST(PgFrame, BoundsRepliesByType) {
  for (const std::string_view large : {"64", "44", "45", "56", "4e", "41", "54"}) {  // d D E V N A T
    EXPECT_FALSE(from_server(std::string(large) + "40000002").error) << large;
    EXPECT_TRUE(from_server(std::string(large) + "40000003").error) << large;
  }
  for (const std::string_view small : {"52", "4b", "53", "5a", "43", "49", "31", "32"}) {
    EXPECT_FALSE(from_server(std::string(small) + "00007530").error) << small;  // 30,000
    EXPECT_TRUE(from_server(std::string(small) + "00007531").error) << small;
  }
  // ParameterDescription of 65,535 types (case C22).
  EXPECT_FALSE(from_server("74 00040002").error);
  EXPECT_TRUE(from_server("74 00040003").error);
}

TEST(PgFrame, CutsTheStartupFamily) {
  EXPECT_EQ(scan_startup({}).need, 4u);
  EXPECT_EQ(scan_startup(hex("000000")).need, 1u);
  EXPECT_EQ(scan_startup(hex("00000008 04d2")).need, 2u);
  EXPECT_EQ(scan_startup(hex("00000008 04d2162f")).size, 8u);
  EXPECT_EQ(scan_startup(hex("00000008 04d2162f 51")).size, 8u);
  EXPECT_EQ(scan_startup(hex("00000007")).error.code, errc::remote_bad_length);
  EXPECT_EQ(scan_startup(hex("00002710")).need, 9'996u);
  EXPECT_EQ(scan_startup(hex("00002711 00030000")).error.code, errc::remote_bad_length);
  EXPECT_EQ(scan_startup(hex("ffffffff")).error.code, errc::remote_bad_length);
}

TEST(PgFrame, ABareMessageHasNoBody) {
  wire::gather_buffer out;
  writer to(out);
  encode_bare(to, request::sync);
  ASSERT_FALSE(to.finish());
  EXPECT_EQ(tests::to_hex(out.segments()[0]), "5300000004");
  EXPECT_FALSE(decode_bare(hex("53 00000004")));
  EXPECT_EQ(decode_bare(hex("53 00000005 00")).code, errc::remote_trailing_bytes);
}

TEST(PgFrame, AMessageThatTheServerWouldDropIsRefusedHere) {
  wire::gather_buffer out;
  writer to(out);
  const auto length = begin_message(to, request::describe);
  to.cstring(std::string(10'000, 'x'), "name");
  end_message(to, length, max_small_request);
  EXPECT_EQ(to.finish().code, errc::local_message_too_long);
}

}  // namespace
}  // namespace codecs::pg
