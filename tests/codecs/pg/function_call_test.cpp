#include "codecs/pg/function_call.hpp"

#include "codecs/pg/large_object.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/codecs/pg/codec.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace codecs::pg {
namespace {

using tests::hex;
using tests::pg_codec;

TEST(PgFunctionCall, FunctionCallPassesTheFiveChecks) {
  const auto data = hex("616263");
  tests::check_codec(pg_codec<function_call>(
                         direction::to_server,
                         [&](writer& out) {
                           const auto call = large_object::lowrite(7, data);
                           encode_function_call(out, call.function, call.arguments);
                         },
                         [](const function_call& m) {
                           EXPECT_EQ(m.function, 955u);
                           EXPECT_EQ(m.argument_formats[0], format::binary);
                           ASSERT_EQ(m.arguments.size(), 2u);
                           auto at = m.arguments.begin();
                           EXPECT_EQ(tests::to_hex(**at), "00000007");
                           ++at;
                           EXPECT_EQ(as_text(**at), "abc");
                           EXPECT_EQ(m.result_format, format::binary);
                         }),
                     hex(R"(
                       46 0000001f        # length 31
                       000003bb           # lowrite
                       0001 0001          # binary for all arguments
                       0002               # arguments
                       00000004 00000007  # descriptor 7
                       00000003 616263    # abc
                       0001               # binary result
                     )"));
}

TEST(PgFunctionCall, TheResponsePassesTheFiveChecks) {
  const auto number = hex("00000003");
  tests::check_codec(
      pg_codec<function_call_response>(
          direction::to_client, [&](writer& out) { encode(out, function_call_response{number}); },
          [](const function_call_response& m) { EXPECT_EQ(tests::to_hex(*m.result), "00000003"); }),
      hex("56 0000000c 00000004 00000003"));
}

TEST(PgFunctionCall, ResultsMayBeNullOrEmptyButNotBelow) {
  function_call_response m;
  ASSERT_FALSE(decode(hex("56 00000008 ffffffff"), m));
  EXPECT_FALSE(m.result);
  ASSERT_FALSE(decode(hex("56 00000008 00000000"), m));
  ASSERT_TRUE(m.result);
  EXPECT_TRUE(m.result->empty());
  EXPECT_EQ(decode(hex("56 00000008 fffffffe"), m).code, errc::remote_bad_value);
}

TEST(PgFunctionCall, AFormatCountThatFitsNoArgumentIsRefused) {
  function_call m;
  EXPECT_EQ(decode(hex("46 00000016 000003bb 0002 0001 0001 0001 ffffffff 0001"), m).code,
            errc::remote_bad_value);
  EXPECT_EQ(decode(hex("46 0000000e 000003bb 0000 0000 0002"), m).code, errc::remote_bad_value);
}

// 29 + N bytes, of which N are borrowed.
TEST(PgFunctionCall, ThePayloadOfLowriteIsBorrowed) {
  const std::vector<std::uint8_t> data(262'144, 9);
  const auto call = large_object::lowrite(0, data);
  wire::gather_buffer out;
  writer to(out);
  encode_function_call(to, call.function, call.arguments);
  ASSERT_FALSE(to.finish());
  EXPECT_EQ(out.size(), 29 + data.size());
  ASSERT_EQ(out.segments().size(), 3u);
  EXPECT_EQ(out.segments()[1].data(), data.data());
  EXPECT_EQ(tests::to_hex(out.segments()[0].first(5)), "460004001c");  // length 262,172: all but the type
  EXPECT_EQ(out.copied_bytes(), 0u);
}

TEST(PgFunctionCall, AnEmptyPayloadIsStillAnArgument) {
  wire::gather_buffer out;
  writer to(out);
  encode_function_call(to, 955, function_arguments().int4(0).payload({}));
  ASSERT_FALSE(to.finish());
  function_call m;
  ASSERT_FALSE(decode(out.segments()[0], m));
  EXPECT_EQ(m.arguments.size(), 2u);
}

// Arguments in network order, 64-bit ones in 8 bytes (case C23).
TEST(PgFunctionCall, LargeObjectCalls) {
  const auto bytes = [](const large_object::call& call) {
    wire::gather_buffer out;
    writer to(out);
    encode_function_call(to, call.function, call.arguments);
    EXPECT_FALSE(to.finish());
    return tests::to_hex(tests::flatten(out));
  };
  EXPECT_EQ(bytes(large_object::lo_creat()),
            "4600000018"        // length 24
            "000003bd"          // 957
            "00010001"          // binary
            "0001"              // 1 argument
            "0000000400060000"  // INV_READ | INV_WRITE
            "0001");
  EXPECT_EQ(bytes(large_object::lo_open(16398, large_object::inv_write)),
            "4600000020"
            "000003b8"
            "00010001"
            "0002"
            "000000040000400e"
            "0000000400020000"
            "0001");
  EXPECT_EQ(bytes(large_object::loread(1, 100)),
            "4600000020"
            "000003ba"
            "00010001"
            "0002"
            "0000000400000001"
            "0000000400000064"
            "0001");
  EXPECT_EQ(bytes(large_object::lo_close(1)),
            "4600000018"
            "000003b9"
            "00010001"
            "0001"
            "0000000400000001"
            "0001");
  EXPECT_EQ(bytes(large_object::lo_lseek64(0, 2'147'483'648, large_object::whence::start)),
            "460000002c"
            "00000c62"
            "00010001"
            "0003"
            "0000000400000000"
            "000000080000000080000000"
            "0000000400000000"
            "0001");
}

TEST(PgFunctionCall, DescriptorsNeedATransactionAndObjectsDoNot) {
  EXPECT_TRUE(large_object::needs_transaction(955));
  EXPECT_TRUE(large_object::needs_transaction(952));
  EXPECT_FALSE(large_object::needs_transaction(957));
  EXPECT_FALSE(large_object::needs_transaction(964));
}

}  // namespace
}  // namespace codecs::pg
