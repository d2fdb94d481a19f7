#include "codecs/pg/conversation.hpp"

#include "codecs/pg/notice.hpp"

#include "tests/codecs/pg/script.hpp"

#include <array>
#include <vector>

namespace codecs::pg {
namespace {

using tests::ask;
using tests::bound;
using tests::closed;
using tests::digits;
using tests::empty;
using tests::no_data;
using tests::parsed;
using tests::suspended;

/// Knows SELECT 1, ROWS (three of them), BEGIN, COMMIT, ROLLBACK and FORGET; a FunctionCall returns int4 7, or is refused
/// when it has no arguments.
class peer final : public conversation {
 public:
  peer() : conversation(4711) {}
  int transactions = 0;

 private:
  struct known {
    std::string_view text;
    plan what;
  };

  const plan* recognise(std::string_view statement) const override {
    for (const auto& each : known_) {
      if (each.text == statement) return &each.what;
    }
    return nullptr;
  }
  std::optional<refusal> call(const function_call& what, writer& out) override {
    if (what.arguments.size() == 0) return refusal{"42883", "no"};
    encode(out, function_call_response{bytes_view(seven_)});
    return {};
  }
  void on_transaction_end() override { ++transactions; }

  const std::vector<std::uint8_t> seven_ = tests::hex("00000007");
  const std::vector<known> known_ = {
      {"SELECT 1", plan("SELECT 1", {{"?column?", 0, 0, 23, 4}}, {{"1", std::string("\0\0\0\1", 4)}})},
      {"ROWS", plan("SELECT 3", {{"c", 0, 0, 25}}, {{"a", "a"}, {"b", "b"}, {"c", "c"}})},
      {"INSERT $1 $2", plan("INSERT 0 1", effect::none, 17)},
      {"BEGIN", plan("BEGIN", effect::begin)},
      {"COMMIT", plan("COMMIT", effect::commit)},
      {"ROLLBACK", plan("ROLLBACK", effect::rollback)},
      {"FORGET", plan("FORGET", effect::forget)},
  };
};

constexpr std::string_view startup = " 00000011 00030000 7573657200 6d6500 00 ";  // 3.0, user me
constexpr std::string_view sync = " 53 00000004 ";
constexpr std::string_view flush = " 48 00000004 ";
constexpr std::string_view begin = " 51 0000000a 424547494e00 ";
constexpr std::string_view began = " 43 0000000a 424547494e00 ";
constexpr std::string_view commit = " 51 0000000b 434f4d4d495400 ";
constexpr std::string_view committed = " 43 0000000b 434f4d4d495400 ";
constexpr std::string_view rolled_back = " 43 0000000d 524f4c4c4241434b00 ";
constexpr std::string_view query_1 = " 51 0000000d 53454c454354203100 ";
constexpr std::string_view parse_1 = " 50 00000010 00 53454c454354203100 0000 ";
constexpr std::string_view bind_text = " 42 0000000c 00 00 0000 0000 0000 ";
constexpr std::string_view bind_binary = " 42 0000000e 00 00 0000 0000 0001 0001 ";
constexpr std::string_view execute_all = " 45 00000009 00 00000000 ";
constexpr std::string_view call_seven = " 46 00000016 00000001 0000 0001 00000004 00000000 0001 ";
constexpr std::string_view seven = " 56 0000000c 00000004 00000007 ";

/// The SQLSTATE of the ErrorResponse that `replies` (digits) begin with; they are cut behind it.
std::string take_error(std::string& replies) {
  const auto frame = tests::hex(replies);
  const auto cut = scan_typed(frame, direction::to_client);
  EXPECT_GT(cut.size, 0u) << replies;
  notice error;
  if (cut.size == 0 || frame[0] != reply::error_response) return "no error: " + replies;
  EXPECT_FALSE(decode(bytes_view(frame).first(cut.size), error));
  replies.erase(0, 2 * cut.size);
  return std::string(error.code);
}

/// `replies` are one ErrorResponse with that SQLSTATE and then `rest`.
void expect_error(std::string replies, std::string_view sqlstate,
                  std::initializer_list<std::string_view> rest) {
  EXPECT_EQ(take_error(replies), sqlstate);
  EXPECT_EQ(replies, digits(rest));
}

class PgConversation : public testing::Test {
 protected:
  void greet() { ask(peer_, startup); }

  peer peer_;
};

// --- startup ---

// AuthenticationOk, eleven ParameterStatus, BackendKeyData, ReadyForQuery.
TEST_F(PgConversation, GreetsAClient) {
  auto replies = tests::hex(ask(peer_, startup));
  std::string types;
  for (bytes_view rest = replies; !rest.empty();) {
    const auto cut = scan_typed(rest, direction::to_client);
    ASSERT_GT(cut.size, 0u);
    types += static_cast<char>(rest[0]);
    rest = rest.subspan(cut.size);
  }
  EXPECT_EQ(types, "RSSSSSSSSSSSKZ");
  const auto text = tests::to_hex(replies);
  EXPECT_EQ(text.find(digits({"52 00000008 00000000"})), 0u);
  EXPECT_NE(text.find(digits({"4b 0000000c 00001267 00000000"})), std::string::npos);  // pid 4711
  EXPECT_EQ(peer_.take_frames_sent(), 14u);
}

// Case S09.
TEST_F(PgConversation, AnswersEncryptionRequestsWithOneByteAndStays) {
  EXPECT_EQ(ask(peer_, "00000008 04d2162f"), "4e");
  EXPECT_EQ(ask(peer_, "00000008 04d21630"), "4e");
  EXPECT_EQ(ask(peer_, startup).substr(0, 2), "52");
}

// Case C31: 3.2 with an unknown option.
TEST_F(PgConversation, Negotiates32Down) {
  const auto replies = ask(peer_, "00000019 00030002 757365720075005f70715f2e7800310000");
  EXPECT_EQ(replies.substr(0, 58),
            digits({"76 00000013 00030000 00000001 5f70715f2e7800", "52 00000008 00000000"}));
}

// libpq 19 announces 3.9999 and gives up on a server that takes it silently.
TEST_F(PgConversation, Negotiates39999Down) {
  const auto replies = ask(peer_, "00000011 0003270f 7573657200 6d6500 00");
  EXPECT_EQ(replies.substr(0, 26), digits({"76 0000000c 00030000 00000000"}));
}

TEST_F(PgConversation, RefusesWhatItCannotServe) {
  bool closed_now = false;
  expect_error(ask(peer_, "00000011 00020000 7573657200 6d6500 00", &closed_now), "0A000", {});
  EXPECT_TRUE(closed_now);
  expect_error(ask(peer_, "00000009 00030000 00", &closed_now), "28000", {});  // nobody
  EXPECT_TRUE(closed_now);
  expect_error(ask(peer_, "00000008 00030000", &closed_now), "08P01", {});
  EXPECT_TRUE(closed_now);
  EXPECT_EQ(ask(peer_, "00000010 04d2162e 0000002a 0a0b0c0d", &closed_now), "");  // CancelRequest
  EXPECT_TRUE(closed_now);
}

TEST_F(PgConversation, EndsWithTerminate) {
  greet();
  bool closed_now = false;
  EXPECT_EQ(ask(peer_, "58 00000004", &closed_now), "");
  EXPECT_TRUE(closed_now);
}

// --- simple query ---

TEST_F(PgConversation, AnswersASimpleQuery) {
  greet();
  peer_.take_frames_sent();
  EXPECT_EQ(ask(peer_, query_1),
            digits({tests::one_int4_column, tests::one_row, tests::select_1, tests::ready_idle}));
  EXPECT_EQ(peer_.take_frames_sent(), 4u);
}

// Case S07, and what pools send to see whether somebody is there.
TEST_F(PgConversation, AnswersEmptyQueries) {
  greet();
  for (const auto* text : {"51 00000005 00", "51 00000006 3b00", "51 0000000c 2d2d2070696e6700"}) {
    EXPECT_EQ(ask(peer_, text), digits({empty, tests::ready_idle})) << text;
  }
  EXPECT_EQ(ask(peer_,
                "50 00000008 00000000 420000000c0000000000000000 44 00000006 5000 45000000090000000000 53 "
                "00000004"),
            digits({parsed, bound, no_data, empty, tests::ready_idle}));
}

TEST_F(PgConversation, SeveralStatementsHaveOneZ) {
  greet();
  // BEGIN;SELECT 1;COMMIT
  EXPECT_EQ(
      ask(peer_, "51 0000001a 424547494e3b 53454c45435420313b 434f4d4d495400"),
      digits({began, tests::one_int4_column, tests::one_row, tests::select_1, committed, tests::ready_idle}));
}

TEST_F(PgConversation, AnErrorStopsTheRestOfTheQuery) {
  greet();
  // BEGIN;x;SELECT 1
  auto replies = ask(peer_, "51 00000015 424547494e3b 783b 53454c454354203100");
  ASSERT_EQ(replies.substr(0, 22), digits({began}));
  expect_error(replies.substr(22), "0A000", {tests::ready_failed});
}

TEST_F(PgConversation, AQueryWithoutItsNulIsRefusedAndTheStreamStaysInStep) {
  greet();
  expect_error(ask(peer_, "51 00000004"), "08P01", {tests::ready_idle});
  EXPECT_EQ(ask(peer_, commit), digits({committed, tests::ready_idle}));
}

// --- transactions ---

TEST_F(PgConversation, AFailedBlockTakesNothingButItsEnd) {
  greet();
  EXPECT_EQ(ask(peer_, begin), digits({began, tests::ready_open}));
  expect_error(ask(peer_, "51 00000006 7800"), "0A000", {tests::ready_failed});
  expect_error(ask(peer_, query_1), "25P02", {tests::ready_failed});
  EXPECT_EQ(ask(peer_, "51 00000006 3b00"), digits({empty, tests::ready_failed}));
  expect_error(ask(peer_, call_seven), "25P02", {tests::ready_failed});
  expect_error(ask(peer_, tests::all({parse_1, sync})), "25P02", {tests::ready_failed});
  EXPECT_EQ(peer_.transactions, 0);
  EXPECT_EQ(ask(peer_, commit), digits({rolled_back, tests::ready_idle}));
  EXPECT_EQ(peer_.transactions, 1);
}

// --- function call ---

TEST_F(PgConversation, EachFunctionCallHasItsOwnZ) {
  greet();
  peer_.take_frames_sent();
  EXPECT_EQ(ask(peer_, tests::all({call_seven, call_seven})),
            digits({seven, tests::ready_idle, seven, tests::ready_idle}));
  EXPECT_EQ(peer_.take_frames_sent(), 4u);
  EXPECT_EQ(peer_.transactions, 2);
  // An error does not start skipping.
  auto replies = ask(peer_, tests::all({"46 0000000e 00000001 0000 0000 0001", call_seven}));
  expect_error(replies, "42883", {tests::ready_idle, seven, tests::ready_idle});
}

// --- extended query ---

TEST_F(PgConversation, RepliesInTheFormatThatBindAsksFor) {
  greet();
  EXPECT_EQ(ask(peer_, tests::all({parse_1, bind_text, execute_all, sync})),
            digits({parsed, bound, tests::one_row, tests::select_1, tests::ready_idle}));
  EXPECT_EQ(
      ask(peer_, tests::all({parse_1, bind_binary, execute_all, sync})),
      digits({parsed, bound, "44 0000000e 0001 00000004 00000001", tests::select_1, tests::ready_idle}));
}

TEST_F(PgConversation, DescribesStatementsAsTextAndPortalsAsBound) {
  greet();
  EXPECT_EQ(ask(peer_, tests::all({parse_1, "44 00000006 53 00", sync})),
            digits({parsed, "74 00000006 0000", tests::one_int4_column, tests::ready_idle}));
  EXPECT_EQ(
      ask(peer_, tests::all({parse_1, bind_binary, "44 00000006 50 00", sync})),
      digits({parsed, bound, "54 00000021 0001 3f636f6c756d6e3f00 00000000 0000 00000017 0004 ffffffff 0001",
              tests::ready_idle}));
  // INSERT $1 $2 with the first type given: int4, and bytea where the plan decides
  EXPECT_EQ(ask(peer_, tests::all({"50 00000018 00 494e5345525420243120243200 0001 00000017",
                                   "44 00000006 53 00", sync})),
            digits({parsed, "74 0000000e 0002 00000017 00000011", no_data, tests::ready_idle}));
}

TEST_F(PgConversation, NamedStatementsStayUntilTheyAreClosed) {
  greet();
  constexpr std::string_view parse_s = " 50 00000011 7300 53454c454354203100 0000 ";
  constexpr std::string_view bind_s = " 42 0000000d 00 7300 0000 0000 0000 ";
  EXPECT_EQ(ask(peer_, tests::all({parse_s, sync})), digits({parsed, tests::ready_idle}));
  EXPECT_EQ(ask(peer_, tests::all({bind_s, execute_all, sync})),
            digits({bound, tests::one_row, tests::select_1, tests::ready_idle}));
  expect_error(ask(peer_, tests::all({parse_s, sync})), "42P05", {tests::ready_idle});
  EXPECT_EQ(ask(peer_, tests::all({"43 00000007 53 7300", "43 00000007 53 7300", sync})),
            digits({closed, closed, tests::ready_idle}));
  expect_error(ask(peer_, tests::all({bind_s, sync})), "26000", {tests::ready_idle});
  EXPECT_EQ(ask(peer_, tests::all({parse_s, sync})), digits({parsed, tests::ready_idle}));
  ask(peer_, "51 0000000b 464f5247455400");  // FORGET
  expect_error(ask(peer_, tests::all({bind_s, sync})), "26000", {tests::ready_idle});
}

TEST_F(PgConversation, ASimpleQueryDestroysTheUnnamedStatement) {
  greet();
  ask(peer_, tests::all({parse_1, sync}));
  ask(peer_, query_1);
  expect_error(ask(peer_, tests::all({bind_text, sync})), "26000", {tests::ready_idle});
}

// Confirmed on PostgreSQL 15: s after exactly max rows even if no row is left; Sync outside a block destroys portals.
TEST_F(PgConversation, PortalsAreSuspendedAndResumed) {
  greet();
  constexpr std::string_view parse_rows = " 50 0000000c 00 524f575300 0000 ";
  constexpr std::string_view bind_p = " 42 0000000d 7000 00 0000 0000 0000 ";
  constexpr std::string_view execute_2 = " 45 0000000a 7000 00000002 ";
  constexpr std::string_view execute_1 = " 45 0000000a 7000 00000001 ";
  constexpr std::string_view row_a = " 44 0000000b 0001 00000001 61 ";
  constexpr std::string_view row_b = " 44 0000000b 0001 00000001 62 ";
  constexpr std::string_view row_c = " 44 0000000b 0001 00000001 63 ";
  constexpr std::string_view select_3 = " 43 0000000d 53454c454354203300 ";
  EXPECT_EQ(ask(peer_, tests::all({parse_rows, bind_p, execute_2, execute_1, execute_1, sync})),
            digits({parsed, bound, row_a, row_b, suspended, row_c, suspended, select_3, tests::ready_idle}));
  expect_error(ask(peer_, tests::all({execute_1, sync})), "34000", {tests::ready_idle});
  // Inside a block a portal outlives its Sync.
  ask(peer_, begin);
  EXPECT_EQ(ask(peer_, tests::all({parse_rows, bind_p, execute_2, sync})),
            digits({parsed, bound, row_a, row_b, suspended, tests::ready_open}));
  EXPECT_EQ(ask(peer_, tests::all({execute_2, sync})), digits({row_c, select_3, tests::ready_open}));
  expect_error(ask(peer_, tests::all({execute_2, sync})), "55000", {tests::ready_failed});
}

// Case C20, with the bytes of the case; the three statements are SELECT 1, SELEC and SELECT 2.
TEST_F(PgConversation, SkipsToSyncAfterAnError) {
  greet();
  auto replies = ask(peer_, R"(
    50000000100053454c4543542031000000 420000000c0000000000000000 45000000090000000000
    500000000d0053454c4543000000       420000000c0000000000000000 45000000090000000000
    50000000100053454c4543542032000000 420000000c0000000000000000 45000000090000000000
    5300000004)");
  const auto first = digits({parsed, bound, tests::one_row, tests::select_1});
  ASSERT_EQ(replies.substr(0, first.size()), first);
  expect_error(replies.substr(first.size()), "0A000", {tests::ready_idle});
}

// Flush, Query and FunctionCall are skipped too, and get no Z (PostgresMain, ignore_till_sync).
TEST_F(PgConversation, NothingIsAnsweredWhileSkipping) {
  greet();
  expect_error(
      ask(peer_, tests::all({bind_text, flush, query_1, call_seven, "64 00000005 78", sync, query_1})),
      "26000",
      {tests::ready_idle, tests::one_int4_column, tests::one_row, tests::select_1, tests::ready_idle});
}

TEST_F(PgConversation, EachSyncHasItsZ) {
  greet();
  EXPECT_EQ(ask(peer_, tests::all({sync, sync, begin, sync})),
            digits({tests::ready_idle, tests::ready_idle, began, tests::ready_open, tests::ready_open}));
}

TEST_F(PgConversation, RepliesWaitForSyncOrFlush) {
  greet();
  wire::gather_buffer out;
  const auto on = [&](std::string_view frame) { return peer_.on_frame(tests::hex(frame), out); };
  EXPECT_EQ(on(parse_1), answer::none);
  EXPECT_EQ(on(bind_text), answer::none);
  EXPECT_EQ(on(execute_all), answer::none);
  EXPECT_EQ(on(flush), answer::reply);
  EXPECT_EQ(on(sync), answer::reply);
}

// Case C22: the count is 65,535, and none of them is there.
TEST_F(PgConversation, ABindWithoutItsParametersIsRefused) {
  greet();
  expect_error(ask(peer_, tests::all({"42 0000000a 00000000 ffff", sync})), "08P01", {tests::ready_idle});
  // Too few for the statement.
  auto replies = ask(peer_, tests::all({"50 00000014 00 494e5345525420243120243200 0000", bind_text, sync}));
  ASSERT_EQ(replies.substr(0, 10), digits({parsed}));
  expect_error(replies.substr(10), "08P01", {tests::ready_idle});
}

TEST_F(PgConversation, OneStatementPerParse) {
  greet();
  // SELECT 1;BEGIN
  expect_error(ask(peer_, tests::all({"50 00000016 00 53454c45435420313b 424547494e00 0000", sync})), "42601",
               {tests::ready_idle});
}

TEST_F(PgConversation, UnknownMessagesEndTheSession) {
  greet();
  bool closed_now = false;
  expect_error(ask(peer_, "79 00000004", &closed_now), "08P01", {});
  EXPECT_TRUE(closed_now);
}

// A client cannot make the peer keep statements without end.
TEST_F(PgConversation, StatementsAreBounded) {
  greet();
  std::string requests;
  std::string accepted;
  for (int i = 0; i < 1'001; ++i) {
    const auto name = tests::to_hex(as_bytes(std::to_string(1'000 + i)));
    requests += tests::all({"50 00000014 ", name, "00 53454c454354203100 0000", sync});
    if (i < 1'000) accepted += digits({parsed, tests::ready_idle});
  }
  const auto replies = ask(peer_, requests);
  ASSERT_EQ(replies.substr(0, accepted.size()), accepted);
  expect_error(replies.substr(accepted.size()), "54000", {tests::ready_idle});
}

}  // namespace
}  // namespace codecs::pg
