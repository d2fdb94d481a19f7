#include "codecs/pg/trace.hpp"

#include "tests/codecs/pg/script.hpp"

#include <gtest/gtest.h>

namespace codecs::pg {
namespace {

std::string to_server(std::string_view frame) {
  return trace(tests::hex(frame), direction::to_server);
}
std::string to_client(std::string_view frame) {
  return trace(tests::hex(frame), direction::to_client);
}

TEST(PgTrace, StartupFamily) {
  EXPECT_EQ(to_server("00000008 04d2162f"), "-> SSLRequest 8B");
  EXPECT_EQ(to_server("00000008 04d21630"), "-> GSSENCRequest 8B");
  EXPECT_EQ(to_server("00000010 04d2162e 0000002a 0a0b0c0d"), "-> CancelRequest 16B pid=42 key=4B");
  EXPECT_EQ(to_server("00000011 00030000 7573657200 6d6500 00"), "-> StartupMessage 17B 3.0 user=me");
  EXPECT_EQ(to_client("4e"), "<- encryption answer N");
}

TEST(PgTrace, Requests) {
  EXPECT_EQ(to_server("51 0000000d 53454c454354203100"), "-> Query 14B \"SELECT 1\"");
  EXPECT_EQ(to_server("50 00000017 7300 53454c45435400 0002 00000017 00000000"),
            "-> Parse 24B statement \"s\" \"SELECT\" types=2: 23 0");
  EXPECT_EQ(to_server("42 0000001b 00 7300 0001 0001 0002 00000002 6162 ffffffff 0001 0001"),
            "-> Bind 28B portal \"\" statement \"s\" parameters=2: 2B NULL");
  EXPECT_EQ(to_server("44 00000007 50 7000"), "-> Describe 8B portal \"p\"");
  EXPECT_EQ(to_server("45 0000000a 7000 00000007"), "-> Execute 11B portal \"p\" max_rows=7");
  EXPECT_EQ(to_server("43 00000007 53 7300"), "-> Close 8B statement \"s\"");
  EXPECT_EQ(to_server("53 00000004"), "-> Sync 5B");
  EXPECT_EQ(to_server("46 0000001f 000003bb 0001 0001 0002 00000004 00000007 00000003 616263 0001"),
            "-> FunctionCall 32B function=955 arguments=2: 4B 3B");
}

TEST(PgTrace, TheSameLetterIsAnotherMessageTheOtherWay) {
  EXPECT_EQ(to_client("53 00000011 54696d655a6f6e6500 55544300"), "<- ParameterStatus 18B TimeZone=UTC");
  EXPECT_EQ(to_client("43 0000000d 53454c454354203100"), "<- CommandComplete 14B SELECT 1");
}

TEST(PgTrace, Replies) {
  EXPECT_EQ(to_client("52 0000000c 00000005 01020304"), "<- Authentication 13B an MD5 password");
  EXPECT_EQ(to_client(tests::one_int4_column), "<- RowDescription 34B columns=1 ?column?:23");
  EXPECT_EQ(to_client("44 00000014 0003 00000002 6162 ffffffff 00000000"),
            "<- DataRow 21B columns=3: 2B NULL 0B");
  EXPECT_EQ(to_client(tests::ready_open), "<- ReadyForQuery 6B T");
  EXPECT_EQ(to_client(tests::syntax_error), "<- ErrorResponse 31B ERROR: no (42601)");
  EXPECT_EQ(to_client("56 00000008 ffffffff"), "<- FunctionCallResponse 9B NULL");
  EXPECT_EQ(to_client("4b 0000000c 0000002a 00000007"), "<- BackendKeyData 13B pid=42 key=4B");
  EXPECT_EQ(to_client("76 00000013 00030000 00000001 5f70715f2e7800"),
            "<- NegotiateProtocolVersion 20B 3.0 options=1");
}

TEST(PgTrace, PasswordsAreMasked) {
  EXPECT_EQ(to_server("70 0000000b 73656372657400"), "-> PasswordMessage 12B ****");
}

TEST(PgTrace, ALineStaysALine) {
  EXPECT_EQ(to_server("51 0000000a 61 0a 62 ff 7f 00"), "-> Query 11B \"a\\x0ab\\xff\\x7f\"");
  const auto text = "51 000000cd " + std::string(400, '6') + "00";
  EXPECT_EQ(to_server(text), "-> Query 206B \"" + std::string(100, 'f') + "...\"");
}

TEST(PgTrace, SaysWhatIsWrong) {
  EXPECT_EQ(to_server("51 00000004"),
            "-> Query 5B undecodable: the peer sent a message that ends inside a field (query)");
  EXPECT_EQ(to_client("31 00000005 00"),
            "<- ParseComplete 6B undecodable: the peer sent a message with bytes left over (message)");
  EXPECT_EQ(to_client("78 00000004"), "<- unknown 5B");
  EXPECT_EQ(to_client("4444"), "<- 2B that are no frame");
}

}  // namespace
}  // namespace codecs::pg
