#include "codecs/pg/extended.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/codecs/pg/codec.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace codecs::pg {
namespace {

using tests::hex;
using tests::pg_codec;

constexpr auto to_server = direction::to_server;

TEST(PgExtended, ParsePassesTheFiveChecks) {
  tests::check_codec(pg_codec<parse>(
                         to_server,
                         [](writer& out) {
                           const oid types[] = {23, 0};
                           encode_parse(out, "s", "SELECT", types);
                         },
                         [](const parse& m) {
                           EXPECT_EQ(m.statement, "s");
                           EXPECT_EQ(m.query, "SELECT");
                           ASSERT_EQ(m.parameter_types.size(), 2u);
                           EXPECT_EQ(m.parameter_types[0], 23u);
                           EXPECT_EQ(m.parameter_types[1], 0u);
                         }),
                     hex(R"(
                       50 00000017        # length 23
                       7300               # statement s
                       53454c45435400     # SELECT
                       0002 00000017 00000000
                     )"));
}

TEST(PgExtended, BindPassesTheFiveChecks) {
  tests::check_codec(pg_codec<bind>(
                         to_server,
                         [](writer& out) {
                           const value values[] = {as_bytes("ab"), {}};
                           encode_bind(out, "", "s", values);
                         },
                         [](const bind& m) {
                           EXPECT_EQ(m.portal, "");
                           EXPECT_EQ(m.statement, "s");
                           EXPECT_EQ(m.parameter_formats[1], format::binary);
                           ASSERT_EQ(m.parameters.size(), 2u);
                           auto at = m.parameters.begin();
                           EXPECT_EQ(as_text(**at), "ab");
                           EXPECT_FALSE(*++at);
                           EXPECT_EQ(m.result_formats[0], format::binary);
                         }),
                     hex(R"(
                       42 0000001b          # length 27
                       00 7300              # portal "", statement s
                       0001 0001            # parameters: binary for all
                       0002                 # parameters
                       00000002 6162        # ab
                       ffffffff             # NULL
                       0001 0001            # results: binary for all
                     )"));
}

TEST(PgExtended, FormatCodesAreNoneOneOrOneEach) {
  bind m;
  const auto none = hex("42 0000000c 0000 0000 0000 0000");  // case C20's Bind: text
  ASSERT_FALSE(decode(none, m));
  EXPECT_EQ(m.parameter_formats[0], format::text);
  const auto each = hex("42 0000001a 0000 0002 0001 0000 0002 00000000 ffffffff 0000");
  ASSERT_FALSE(decode(each, m));
  EXPECT_EQ(m.parameter_formats[0], format::binary);
  EXPECT_EQ(m.parameter_formats[1], format::text);
  EXPECT_EQ(decode(hex("42 00000014 0000 0002 0001 0001 0001 ffffffff 0000"), m).code,
            errc::remote_bad_value);
  EXPECT_EQ(decode(hex("42 0000000e 0000 0001 0002 0000 0000"), m).code, errc::remote_bad_value);
}

// Case C22: ffff is 65,535 and not -1; this frame carries none of them.
TEST(PgExtended, ParameterCountsAreUnsigned) {
  bind m;
  EXPECT_EQ(decode(hex("42 0000000a 00000000 ffff"), m).code, errc::remote_truncated);
  EXPECT_EQ(m.parameters.size(), 0u);
}

// Case C22.
TEST(PgExtended, A65536thParameterIsRefusedBeforeAnythingIsWritten) {
  wire::gather_buffer out;
  for (const std::size_t count : {32'767, 32'768, 65'535}) {
    out.clear();
    writer to(out);
    encode_bind(to, "", "", std::vector<value>(count));
    ASSERT_FALSE(to.finish()) << count;
    bind m;
    ASSERT_FALSE(decode(out.segments()[0], m)) << count;
    EXPECT_EQ(m.parameters.size(), count);
  }
  out.clear();
  writer to(out);
  encode_bind(to, "", "", std::vector<value>(65'536));
  EXPECT_EQ(to.finish().code, errc::local_too_many_parameters);
  EXPECT_EQ(out.size(), 0u);
}

// 26 bytes up to the data, 4 behind it, Execute 10; the data itself is borrowed.
TEST(PgExtended, LargeParametersAreBorrowed) {
  const std::vector<std::uint8_t> data(4096, 7);
  const auto descriptor = hex("00000000");
  const value values[] = {descriptor, data};
  wire::gather_buffer out;
  writer to(out);
  encode_bind(to, "", "w", values);
  encode(to, execute{});
  ASSERT_FALSE(to.finish());
  EXPECT_EQ(out.size(), 40 + data.size());
  ASSERT_EQ(out.segments().size(), 3u);
  EXPECT_EQ(out.segments()[0].size(), 26u);
  EXPECT_EQ(out.segments()[1].data(), data.data());
  EXPECT_EQ(out.segments()[2].size(), 14u);
  EXPECT_EQ(out.copied_bytes(), 0u);
}

TEST(PgExtended, DescribePassesTheFiveChecks) {
  tests::check_codec(pg_codec<describe>(
                         to_server,
                         [](writer& out) {
                           encode(out, describe{target::portal, "p"});
                         },
                         [](const describe& m) {
                           EXPECT_EQ(m.what, target::portal);
                           EXPECT_EQ(m.name, "p");
                         }),
                     hex("44 00000007 50 7000"));
  describe m;
  EXPECT_EQ(decode(hex("44 00000007 58 7000"), m).code, errc::remote_bad_value);
}

TEST(PgExtended, ClosePassesTheFiveChecks) {
  tests::check_codec(pg_codec<close>(
                         to_server,
                         [](writer& out) {
                           encode(out, close{target::statement, "s"});
                         },
                         [](const close& m) {
                           EXPECT_EQ(m.what, target::statement);
                           EXPECT_EQ(m.name, "s");
                         }),
                     hex("43 00000007 53 7300"));
}

TEST(PgExtended, ExecutePassesTheFiveChecks) {
  tests::check_codec(pg_codec<execute>(
                         to_server,
                         [](writer& out) {
                           encode(out, execute{"p", 7});
                         },
                         [](const execute& m) {
                           EXPECT_EQ(m.portal, "p");
                           EXPECT_EQ(m.max_rows, 7);
                         }),
                     hex("45 0000000a 7000 00000007"));
}

TEST(PgExtended, ParameterDescriptionPassesTheFiveChecks) {
  tests::check_codec(pg_codec<parameter_description>(
                         direction::to_client,
                         [](writer& out) {
                           const oid types[] = {23, 17};
                           encode_parameter_description(out, types);
                         },
                         [](const parameter_description& m) {
                           ASSERT_EQ(m.types.size(), 2u);
                           EXPECT_EQ(m.types[0], 23u);
                           EXPECT_EQ(m.types[1], 17u);
                         }),
                     hex("74 0000000e 0002 00000017 00000011"));
}

}  // namespace
}  // namespace codecs::pg
