#include "codecs/pg/startup_exchange.hpp"

#include "tests/codecs/pg/script.hpp"

#include <array>

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;

// StartupMessage 3.0, 28 bytes: user me, database d.
constexpr std::string_view startup_request =
    " 0000001c 00030000 7573657200 6d6500 646174616261736500 6400 00 ";
constexpr std::string_view authentication_ok = " 52 00000008 00000000 ";
constexpr std::string_view time_zone = " 53 00000011 54696d655a6f6e6500 55544300 ";  // UTC
constexpr std::string_view key_4711 = " 4b 0000000c 00001267 0a0b0c0d ";

class PgStartupExchange : public testing::Test {
 protected:
  void log_in(login how = {}) {
    how.user = "me";
    how.database = "d";
    how.password = "secret";
    op_.set(how);
  }
  void begin(const login& how = {}) {
    log_in(how);
    ASSERT_EQ(tests::start(op_, startup_request), progress::more);
  }

  session session_;
  startup_exchange op_{session_};
};

TEST_F(PgStartupExchange, TrustLearnsTheSession) {
  begin();
  EXPECT_EQ(answer(op_, all({authentication_ok, time_zone, key_4711, tests::ready_idle})), progress::done);
  EXPECT_EQ(session_.protocol, protocol_3_0);
  EXPECT_EQ(session_.backend_pid, 4711);
  EXPECT_EQ(tests::to_hex(session_.cancel_key), "0a0b0c0d");
  EXPECT_EQ(session_.parameter("TimeZone"), "UTC");
  EXPECT_EQ(session_.parameter("timezone"), "");
  EXPECT_EQ(session_.status, transaction_status::idle);
  EXPECT_EQ(op_.take_frames_sent(), 1u);
}

// Case C31: some servers send no K, which disables cancelling alone.
TEST_F(PgStartupExchange, AnAbsentKeyIsNoError) {
  session_.backend_pid = 1;  // of an earlier connection
  begin();
  EXPECT_EQ(answer(op_, all({authentication_ok, tests::any_time, tests::ready_idle})), progress::done);
  EXPECT_EQ(session_.backend_pid, 0);
  EXPECT_TRUE(session_.cancel_key.empty());
}

TEST_F(PgStartupExchange, CleartextSendsThePassword) {
  begin();
  EXPECT_EQ(answer(op_, "52 00000008 00000003", "70 0000000b 73656372657400"), progress::more);  // secret
  EXPECT_EQ(answer(op_, all({authentication_ok, tests::ready_idle})), progress::done);
  EXPECT_EQ(op_.take_frames_sent(), 2u);
}

TEST_F(PgStartupExchange, Md5SendsTheHash) {
  begin();
  // PasswordMessage, 40: md58322d584bf59f0253d58346307bb6ba3 (see auth_test.cpp)
  EXPECT_EQ(answer(op_, "52 0000000c 00000005 01020304",
                   "70 00000028 6d6435 3833323264353834626635396630323533643538333436333037626236626133 00"),
            progress::more);
  EXPECT_EQ(answer(op_, all({authentication_ok, tests::ready_idle})), progress::done);
}

TEST_F(PgStartupExchange, ScramComesLater) {
  begin();
  EXPECT_EQ(answer(op_, "52 00000017 0000000a 534352414d2d5348412d32353600 00"), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_unsupported);
  EXPECT_EQ(op_.why().text, "the server asks for SCRAM authentication, which comes later");
}

TEST_F(PgStartupExchange, ARefusalEndsTheConnectionAndKeepsThePasswordToItself) {
  begin();
  EXPECT_EQ(answer(op_, "52 00000008 00000003", "70 0000000b 73656372657400"), progress::more);
  EXPECT_EQ(answer(op_, tests::shutdown_error), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_server_error);
  EXPECT_EQ(op_.why().text, "FATAL: bye (57P01)");
  EXPECT_EQ(op_.why().sentence().find("secret"), std::string::npos);
}

// Case S09: SSLRequest answered by N, S and E.
TEST_F(PgStartupExchange, GoesOnInClearAfterN) {
  log_in({.ask_for_encryption = true});
  ASSERT_EQ(tests::start(op_, "00000008 04d2162f"), progress::more);
  EXPECT_EQ(answer(op_, "4e", startup_request), progress::more);
  EXPECT_EQ(answer(op_, all({authentication_ok, key_4711, tests::ready_idle})), progress::done);
}

TEST_F(PgStartupExchange, TlsComesLater) {
  log_in({.ask_for_encryption = true});
  ASSERT_EQ(tests::start(op_, "00000008 04d2162f"), progress::more);
  EXPECT_EQ(answer(op_, "53"), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_unsupported);
}

TEST_F(PgStartupExchange, TheTextOfAnErrorBeforeEncryptionIsNotShown) {
  log_in({.ask_for_encryption = true});
  ASSERT_EQ(tests::start(op_, "00000008 04d2162f"), progress::more);
  EXPECT_EQ(answer(op_, tests::shutdown_error), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_server_error);
  EXPECT_EQ(op_.why().text, "");
}

TEST_F(PgStartupExchange, BytesBehindTheEncryptionAnswerAreRefused) {
  log_in({.ask_for_encryption = true});
  ASSERT_EQ(tests::start(op_, "00000008 04d2162f"), progress::more);
  EXPECT_TRUE(op_.scan(tests::hex("4e 52 00000008 00000000")).error);
  EXPECT_TRUE(op_.scan(tests::hex("53 52")).error);
}

// Case C31, with the bytes of the case: 3.2 with _pq_.x, answered by v 3.0.
class PgStartup32 : public testing::Test {
 protected:
  PgStartup32() {
    op_.set({.user = "u", .parameters = option_, .protocol = protocol_3_2});
    EXPECT_EQ(tests::start(op_, "00000019 00030002 757365720075005f70715f2e7800310000"), progress::more);
  }

  const std::array<parameter, 1> option_ = {{{"_pq_.x", "1"}}};
  session session_;
  startup_exchange op_{session_};
};

TEST_F(PgStartup32, AcceptsALowerMinorVersion) {
  EXPECT_EQ(answer(op_, all({"76 00000013 00030000 00000001 5f70715f2e7800", authentication_ok, key_4711,
                             tests::ready_idle})),
            progress::done);
  EXPECT_EQ(session_.protocol, protocol_3_0);
}

TEST_F(PgStartup32, StoresLongKeys) {
  std::string key;
  for (int i = 0; i < 32; ++i) key += "1f";
  EXPECT_EQ(answer(op_, all({authentication_ok, "4b 00000028 0000002a", key, tests::ready_idle})),
            progress::done);
  EXPECT_EQ(session_.cancel_key.size(), 32u);
  EXPECT_EQ(session_.protocol, protocol_3_2);
}

TEST_F(PgStartup32, AnEmptyKeyIsAnError) {
  EXPECT_EQ(answer(op_, all({authentication_ok, "4b 00000008 0000002a"})), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_bad_length);
}

TEST_F(PgStartup32, ALongKeyAfter30IsAnError) {
  EXPECT_EQ(answer(op_, all({"76 00000013 00030000 00000001 5f70715f2e7800", authentication_ok,
                             "4b 0000000d 0000002a 0a0b0c0d0e"})),
            progress::failed);
  EXPECT_STREQ(op_.why().cause.field, "cancel key");
}

TEST_F(PgStartup32, ANegotiationThatChangesNothingIsAnError) {
  EXPECT_EQ(answer(op_, "76 0000000c 00030002 00000000"), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_bad_value);
}

TEST_F(PgStartupExchange, MessagesOutOfPlaceAreRefused) {
  for (const auto misplaced : {tests::ready_idle, key_4711, tests::one_row}) {
    begin();
    EXPECT_EQ(answer(op_, misplaced), progress::failed);
    EXPECT_EQ(op_.why().cause.code, errc::remote_unexpected_message);
  }
  begin();
  EXPECT_EQ(answer(op_, all({authentication_ok, authentication_ok})), progress::failed);
  begin();
  EXPECT_EQ(answer(op_, all({authentication_ok, "76 0000000c 00030000 00000000"})), progress::failed);
}

}  // namespace
}  // namespace codecs::pg
