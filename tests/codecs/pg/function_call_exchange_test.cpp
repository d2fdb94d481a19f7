#include "codecs/pg/function_call_exchange.hpp"

#include "tests/codecs/pg/script.hpp"

#include <array>

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;

// FunctionCall lowrite(7, "abc"), field by field in function_call_test.cpp
constexpr std::string_view lowrite_request =
    " 46 0000001f 000003bb 0001 0001 0002 00000004 00000007 00000003 616263 0001 ";
constexpr std::string_view wrote_3 = " 56 0000000c 00000004 00000003 ";
// FunctionCall loread(0, 4)
constexpr std::string_view loread_request =
    " 46 00000020 000003ba 0001 0001 0002 00000004 00000000 00000004 00000004 0001 ";

class PgFunctionCallExchange : public testing::Test {
 protected:
  PgFunctionCallExchange() { session_.status = transaction_status::open; }
  void begin_write() {
    op_.set(large_object::lowrite(7, as_bytes("abc")));
    ASSERT_EQ(tests::start(op_, lowrite_request), progress::more);
  }
  void begin_read(bytes_span room) {
    const auto call = large_object::loread(0, 4);
    op_.set(call.function, call.arguments, room);
    ASSERT_EQ(tests::start(op_, loread_request), progress::more);
  }
  void expect_misplaced(std::string_view replies) {
    begin_write();
    tests::expect_misplaced(op_, replies);
  }

  session session_;
  function_call_exchange op_{session_};
};

TEST_F(PgFunctionCallExchange, ReturnsANumber) {
  for (int i = 0; i < 2; ++i) {
    begin_write();
    EXPECT_EQ(answer(op_, all({wrote_3, tests::ready_open})), progress::done);
    EXPECT_EQ(op_.number(), 3);
  }
  EXPECT_EQ(op_.take_frames_sent(), 2u);
}

TEST_F(PgFunctionCallExchange, ReturnsInt8) {
  begin_write();
  EXPECT_EQ(answer(op_, all({"56 00000010 00000008 0000040000000000", tests::ready_open})), progress::done);
  EXPECT_EQ(op_.number(), 4'398'046'511'104);
}

TEST_F(PgFunctionCallExchange, WritesBytesIntoTheRoomItIsGiven) {
  std::array<std::uint8_t, 4> room = {};
  begin_read(room);
  EXPECT_EQ(answer(op_, all({"56 0000000b 00000003 616263", tests::any_time, tests::ready_open})),
            progress::done);
  ASSERT_TRUE(op_.result());
  EXPECT_EQ(as_text(*op_.result()), "abc");
  EXPECT_EQ(op_.result()->data(), room.data());
}

// CVE-2026-6477: a server that returns more than was asked for must not overrun the caller.
TEST_F(PgFunctionCallExchange, AResultLongerThanItsRoomIsRefused) {
  std::array<std::uint8_t, 4> room = {};
  begin_read(room);
  EXPECT_EQ(answer(op_, "56 0000000d 00000005 6162636465"), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_bad_length);
  EXPECT_EQ(room, (std::array<std::uint8_t, 4>{}));
}

// The head, then the result into the room, then what can be nothing but ReadyForQuery.
TEST_F(PgFunctionCallExchange, ALongResultLandsInItsRoom) {
  std::vector<std::uint8_t> room(5000, 'r');
  begin_read(room);
  auto frame = tests::hex("56 00001390 00001388");  // 4 + 4 + 5,000
  EXPECT_TRUE(op_.land({}).place.empty());
  EXPECT_EQ(op_.land({}).keep, 9u);
  EXPECT_EQ(op_.land(bytes_view(frame).first(7)).keep, 2u);
  auto wanted = op_.land(frame);
  EXPECT_EQ(wanted.place.data(), room.data());
  EXPECT_EQ(wanted.place.size(), 5000u);
  EXPECT_EQ(wanted.keep, 6u);
  frame.resize(9 + 1234);
  wanted = op_.land(frame);
  EXPECT_EQ(wanted.place.data(), room.data() + 1234);
  EXPECT_EQ(wanted.place.size(), 5000u - 1234);
  frame.resize(9 + 5000, '?');
  wire::gather_buffer none;
  ASSERT_EQ(op_.on_frame(frame, none), progress::more);
  EXPECT_EQ(op_.result()->size(), 5000u);
  EXPECT_EQ(room, std::vector<std::uint8_t>(5000, 'r'));
  EXPECT_EQ(op_.land({}).keep, landing().keep);  // nothing else lands
}

TEST_F(PgFunctionCallExchange, NothingElseLands) {
  std::vector<std::uint8_t> room(5000);
  begin_read(room);
  const auto lands = [&](std::string_view unread) { return !op_.land(tests::hex(unread)).place.empty(); };
  EXPECT_FALSE(lands("56 00001391 00001389"));     // more than there is room for
  EXPECT_FALSE(lands("56 00001390 00001387"));     // a byte behind the result
  EXPECT_FALSE(lands("56 00000008 ffffffff"));     // NULL
  EXPECT_FALSE(lands("56 00001390 00001388 aa"));  // its first byte came with the head of another frame
  EXPECT_FALSE(lands("45 00001390 00001388"));     // an error
  // The rest is read, and no more than the Z behind it: a result to come may land again.
  EXPECT_EQ(op_.land(tests::hex("56 00001390 00001388 aa")).keep, 4999u + 6);
  std::array<std::uint8_t, 4> small = {};
  begin_read(small);
  EXPECT_EQ(op_.land({}).keep, landing().keep);
}

TEST_F(PgFunctionCallExchange, NullIsNoNumber) {
  begin_write();
  EXPECT_EQ(answer(op_, all({"56 00000008 ffffffff", tests::ready_open})), progress::done);
  EXPECT_FALSE(op_.result());
  EXPECT_EQ(op_.number(), 0);
}

// Case C26: judged by the last Z; in a failed block the server is left to say 25P02.
TEST_F(PgFunctionCallExchange, DescriptorsAreRefusedOutsideATransaction) {
  session_.status = transaction_status::idle;
  op_.set(large_object::lo_open(16398, large_object::inv_read));
  EXPECT_EQ(tests::start(op_, ""), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_wrong_state);
  op_.set(large_object::lo_creat());
  EXPECT_EQ(tests::start(op_, "46 00000018 000003bd 0001 0001 0001 00000004 00060000 0001"), progress::more);
  EXPECT_EQ(answer(op_, all({"56 0000000c 00000004 0000400e", tests::ready_idle})), progress::done);

  session_.status = transaction_status::failed;
  begin_write();
  EXPECT_EQ(answer(op_, all({tests::syntax_error, tests::ready_failed})), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_server_error);
}

TEST_F(PgFunctionCallExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_open);
  expect_misplaced(all({wrote_3, wrote_3}));
  expect_misplaced(all({tests::syntax_error, wrote_3}));
  expect_misplaced(tests::one_row);
}

}  // namespace
}  // namespace codecs::pg
