#include "codecs/pg/startup.hpp"

#include "tests/codecs/pg/codec.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace codecs::pg {
namespace {

using tests::hex;
using tests::pg_codec;

constexpr auto to_client = direction::to_client;

/// The five checks for a message of the startup family.
template <typename Message, typename Encode, typename Check>
tests::codec startup_codec(Encode encode, Check check) {
  auto codec = pg_codec<Message>(direction::to_server, encode, check);
  codec.length = tests::pg_startup_length;
  codec.scan = scan_startup;
  return codec;
}

// Case C31: 3.2 with a protocol option, 25 bytes.
TEST(PgStartup, StartupMessagePassesTheFiveChecks) {
  const std::array<parameter, 2> parameters = {{{"user", "u"}, {"_pq_.x", "1"}}};
  tests::check_codec(startup_codec<startup_message>(
                         [&](writer& out) { encode_startup_message(out, protocol_3_2, parameters); },
                         [](const startup_message& m) {
                           EXPECT_EQ(m.version, 0x00030002);
                           std::vector<parameter> all;
                           for (const auto& each : m.parameters) all.push_back(each);
                           EXPECT_EQ(all, (std::vector<parameter>{{"user", "u"}, {"_pq_.x", "1"}}));
                           EXPECT_EQ(m.parameters.find("_pq_.x"), "1");
                           EXPECT_EQ(m.parameters.find("database"), "");
                         }),
                     hex(R"(
                       00000019            # length 25
                       00030002            # version 3.2
                       7573657200 7500     # user, u
                       5f70715f2e7800 3100 # _pq_.x, 1
                       00                  # end of the list
                     )"));
}

TEST(PgStartup, StartupMessageMayHaveNoParameters) {
  startup_message m;
  ASSERT_FALSE(decode(hex("00000009 00030000 00"), m));
  EXPECT_TRUE(m.parameters.begin() == m.parameters.end());
  EXPECT_TRUE(decode(hex("00000008 00030000"), m));                // no end of the list
  EXPECT_TRUE(decode(hex("0000000e 00030000 7573657200 00"), m));  // no value: the end is taken for it
  EXPECT_TRUE(decode(hex("0000000a 00030000 00 00"), m));          // bytes behind the end
}

TEST(PgStartup, ANameThatWouldEndTheListIsRefusedHere) {
  const std::array<parameter, 1> parameters = {{{"", "u"}}};
  const auto codec = startup_codec<startup_message>(
      [&](writer& out) { encode_startup_message(out, protocol_3_0, parameters); }, [](const auto&) {});
  struct discard final : send_buffer {
    std::array<std::uint8_t, 512> room;
    bytes_span prepare(std::size_t) override { return room; }
    void commit(std::size_t) override {}
    bool refer(bytes_view) override { return true; }
    std::uint8_t* encoded(std::size_t index) override { return room.data() + index; }
    std::size_t encoded_size() const override { return 0; }
    std::span<const bytes_view> segments() override { return {}; }
    std::size_t size() const override { return 0; }
    std::size_t consume(std::size_t) override { return 0; }
    void clear() override {}
    std::uint64_t copied_bytes() const override { return 0; }
  } out;
  EXPECT_EQ(codec.encode(out).code, errc::local_bad_value);
}

// Case S09.
TEST(PgStartup, EncryptionRequests) {
  for (const auto& [code, frame] :
       {std::pair{ssl_request_code, "00000008 04d2162f"}, {gssenc_request_code, "00000008 04d21630"}}) {
    EXPECT_EQ(startup_code(hex(frame)), code);
    EXPECT_FALSE(decode_encryption_request(hex(frame)));
  }
  EXPECT_TRUE(decode_encryption_request(hex("00000009 04d2162f 00")));
}

TEST(PgStartup, CancelRequestPassesTheFiveChecks) {
  const auto key = hex("0a0b0c0d");
  tests::check_codec(startup_codec<cancel_request>(
                         [&](writer& out) {
                           encode(out, cancel_request{42, key});
                         },
                         [&](const cancel_request& m) {
                           EXPECT_EQ(m.pid, 42);
                           EXPECT_EQ(tests::to_hex(m.key), "0a0b0c0d");
                         }),
                     hex("00000010 04d2162e 0000002a 0a0b0c0d"));  // length 16, code, pid, key
}

// Case S09: S, N and E; nothing may be buffered behind S or N.
TEST(PgStartup, TheAnswerToAnEncryptionRequestIsOneByte) {
  EXPECT_EQ(scan_encryption_answer({}).need, 1u);
  EXPECT_EQ(scan_encryption_answer(hex("53")).size, 1u);
  EXPECT_EQ(scan_encryption_answer(hex("4e")).size, 1u);
  EXPECT_EQ(scan_encryption_answer(hex("53 52")).error.code, errc::remote_trailing_bytes);
  EXPECT_EQ(scan_encryption_answer(hex("4e 52")).error.code, errc::remote_trailing_bytes);
  EXPECT_EQ(scan_encryption_answer(hex("45")).need, 4u);
  EXPECT_EQ(scan_encryption_answer(hex("45 00000005 00")).size, 6u);
  EXPECT_EQ(scan_encryption_answer(hex("48")).error.code, errc::remote_bad_value);
}

// Case C31: 20 bytes.
TEST(PgStartup, NegotiateProtocolVersionPassesTheFiveChecks) {
  const std::array<std::string_view, 1> options = {"_pq_.x"};
  tests::check_codec(
      pg_codec<negotiate_protocol_version>(
          to_client, [&](writer& out) { encode_negotiate_protocol_version(out, protocol_3_0, options); },
          [](const negotiate_protocol_version& m) {
            EXPECT_EQ(m.version, protocol_3_0);
            EXPECT_EQ(m.options, 1);
            EXPECT_EQ(as_text(m.names), std::string_view("_pq_.x\0", 7));
          }),
      hex("76 00000013 00030000 00000001 5f70715f2e7800"));  // length 19, version 3.0, 1 option, _pq_.x
}

TEST(PgStartup, NegotiationCountsAreChecked) {
  negotiate_protocol_version m;
  EXPECT_EQ(decode(hex("76 0000000c 00030000 ffffffff"), m).code, errc::remote_bad_value);
  EXPECT_EQ(decode(hex("76 0000000c 00030000 7fffffff"), m).code, errc::remote_truncated);
}

TEST(PgStartup, NegotiationMustMakeSense) {
  const std::array<parameter, 1> asked = {{{"_pq_.x", "1"}}};
  const auto option = hex("5f70715f2e7800");    // _pq_.x
  const auto stranger = hex("5f70715f2e7900");  // _pq_.y
  const auto plain = hex("7573657200");         // user
  const auto check = [&](std::int32_t version, std::int32_t options, bytes_view names, std::int32_t ours) {
    return check_negotiation({version, options, names}, ours, asked).code;
  };
  EXPECT_EQ(check(protocol_3_0, 0, {}, protocol_3_2), errc::ok);
  EXPECT_EQ(check(protocol_3_2, 1, option, protocol_3_2), errc::ok);
  EXPECT_EQ(check(protocol_3_0, 1, option, protocol_3_0), errc::ok);
  EXPECT_EQ(check(protocol_3_0, 0, {}, protocol_3_0), errc::remote_bad_value);        // nothing changes
  EXPECT_EQ(check(protocol_3_2, 0, {}, protocol_3_0), errc::remote_bad_value);        // newer than asked for
  EXPECT_EQ(check(0x00030001, 0, {}, protocol_3_2), errc::remote_bad_value);          // 3.1 never existed
  EXPECT_EQ(check(0x00020000, 0, {}, protocol_3_2), errc::remote_bad_value);          // below 3.0
  EXPECT_EQ(check(protocol_3_0, 1, stranger, protocol_3_2), errc::remote_bad_value);  // never asked for
  EXPECT_EQ(check(protocol_3_0, 1, plain, protocol_3_2), errc::remote_bad_value);     // no protocol option
}

// Case C31: keys of 4, 32 and 256 bytes; the empty key and one past 256 are errors.
TEST(PgStartup, BackendKeyDataPassesTheFiveChecks) {
  const auto key = hex("00000007");
  tests::check_codec(pg_codec<backend_key_data>(
                         to_client,
                         [&](writer& out) {
                           encode(out, backend_key_data{42, key});
                         },
                         [](const backend_key_data& m) {
                           EXPECT_EQ(m.pid, 42);
                           EXPECT_EQ(tests::to_hex(m.key), "00000007");
                         }),
                     hex("4b 0000000c 0000002a 00000007"));
}

TEST(PgStartup, CancelKeysHave4To256Bytes) {
  backend_key_data m;
  EXPECT_EQ(decode(hex("4b 00000008 0000002a"), m).code, errc::remote_bad_length);
  EXPECT_EQ(decode(hex("4b 0000000b 0000002a 000000"), m).code, errc::remote_bad_length);
  auto frame = hex("4b 00000028 0000002a");
  frame.resize(9 + 32, 0x1f);
  ASSERT_FALSE(decode(frame, m));
  EXPECT_EQ(m.key.size(), 32u);
  frame.resize(9 + 256, 0x1f);
  ASSERT_FALSE(decode(frame, m));
  EXPECT_EQ(m.key.size(), 256u);
  frame.resize(9 + 257, 0x1f);
  EXPECT_EQ(decode(frame, m).code, errc::remote_bad_length);
}

TEST(PgStartup, ParameterStatusPassesTheFiveChecks) {
  tests::check_codec(pg_codec<parameter_status>(
                         to_client,
                         [](writer& out) {
                           encode(out, parameter_status{"TimeZone", "UTC"});
                         },
                         [](const parameter_status& m) {
                           EXPECT_EQ(m.name, "TimeZone");
                           EXPECT_EQ(m.value, "UTC");
                         }),
                     hex("53 00000011 54696d655a6f6e6500 55544300"));
}

TEST(PgStartup, ReadyForQueryPassesTheFiveChecks) {
  tests::check_codec(
      pg_codec<ready_for_query>(
          to_client, [](writer& out) { encode(out, ready_for_query{transaction_status::open}); },
          [](const ready_for_query& m) { EXPECT_EQ(m.status, transaction_status::open); }),
      hex("5a 00000005 54"));
  ready_for_query m;
  EXPECT_EQ(decode(hex("5a 00000005 58"), m).code, errc::remote_bad_value);
}

}  // namespace
}  // namespace codecs::pg
