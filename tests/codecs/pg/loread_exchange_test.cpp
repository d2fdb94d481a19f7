#include "codecs/pg/loread_exchange.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/script.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;

// FunctionCall loread(1, ...), field by field in function_call_test.cpp
constexpr std::string_view read_3 =
    " 46 00000020 000003ba 0001 0001 0002 00000004 00000001 00000004 00000003 0001 ";
constexpr std::string_view read_2 =
    " 46 00000020 000003ba 0001 0001 0002 00000004 00000001 00000004 00000002 0001 ";
constexpr std::string_view abc = " 56 0000000b 00000003 616263 ";
constexpr std::string_view def = " 56 0000000b 00000003 646566 ";
constexpr std::string_view gh = " 56 0000000a 00000002 6768 ";

class PgLoreadExchange : public testing::Test {
 protected:
  PgLoreadExchange() { session_.status = transaction_status::open; }
  void begin(chunk_sink& sink, std::size_t depth, std::string_view request) {
    op_.set(1, sink, {8, 3}, depth);
    ASSERT_EQ(tests::start(op_, request), progress::more);
  }
  void expect_failure(errc code, std::string_view text, std::string_view kept) {
    EXPECT_EQ(op_.why().cause.code, code);
    EXPECT_EQ(op_.why().text, text);
    EXPECT_EQ(sink_.text, kept);
  }
  void expect_misplaced(std::string_view replies) {
    begin(sink_, 2, all({read_3, read_3}));
    tests::expect_misplaced(op_, replies);
  }

  tests::text_sink sink_;
  session session_;
  loread_exchange op_{session_};
};

TEST_F(PgLoreadExchange, ReadsChunkByChunk) {
  begin(sink_, 1, read_3);
  EXPECT_EQ(answer(op_, all({abc, tests::ready_open}), read_3), progress::more);
  EXPECT_EQ(answer(op_, all({tests::any_time, def, tests::any_time, tests::ready_open}), read_2),
            progress::more);
  EXPECT_EQ(answer(op_, all({gh, tests::ready_open})), progress::done);
  EXPECT_EQ(sink_.text, "abcdefgh");
  EXPECT_EQ(op_.take_frames_sent(), 3u);
}

TEST_F(PgLoreadExchange, KeepsItsDepthOfCallsInFlight) {
  begin(sink_, 2, all({read_3, read_3}));
  EXPECT_EQ(answer(op_, all({abc, tests::ready_open}), read_2), progress::more);
  EXPECT_EQ(answer(op_, all({def, tests::ready_open, gh, tests::ready_open})), progress::done);
  EXPECT_EQ(sink_.text, "abcdefgh");
}

TEST_F(PgLoreadExchange, AnEmptyFileIsReadWithoutACall) {
  op_.set(1, sink_, {0, 3});
  EXPECT_EQ(tests::start(op_, ""), progress::done);
}

// Shorter, longer and NULL: named, and nothing of it or behind it is kept.
TEST_F(PgLoreadExchange, AChunkOfTheWrongLengthIsNamed) {
  begin(sink_, 2, all({read_3, read_3}));
  EXPECT_EQ(answer(op_, all({gh, tests::ready_open, def, tests::ready_open})), progress::failed);
  expect_failure(errc::remote_bad_file, "chunk 0 (from byte 0 on): has 2 bytes and not 3", "");

  begin(sink_, 2, all({read_3, read_3}));
  EXPECT_EQ(answer(op_,
                   all({abc, tests::ready_open, " 56 0000000c 00000004 64656667 ", tests::ready_open, gh,
                        tests::ready_open}),
                   read_2),
            progress::failed);
  expect_failure(errc::remote_bad_file, "chunk 1 (from byte 3 on): has 4 bytes and not 3", "abc");

  begin(sink_, 1, read_3);
  EXPECT_EQ(answer(op_, all({" 56 00000008 ffffffff ", tests::ready_open})), progress::failed);
  expect_failure(errc::remote_bad_file, "chunk 0 (from byte 0 on): has 0 bytes and not 3", "abc");
}

TEST_F(PgLoreadExchange, AnErrorIsToldWithItsChunk) {
  begin(sink_, 2, all({read_3, read_3}));
  EXPECT_EQ(answer(op_, all({abc, tests::ready_open}), read_2), progress::more);
  EXPECT_EQ(
      answer(op_, all({tests::syntax_error, tests::ready_failed, tests::syntax_error, tests::ready_failed})),
      progress::failed);
  expect_failure(errc::remote_server_error, "chunk 1 (from byte 3 on): ERROR: no (42601)", "abc");
  EXPECT_EQ(session_.status, transaction_status::failed);
}

TEST_F(PgLoreadExchange, ASinkThatIsFullEndsTheDownload) {
  tests::text_sink full;
  full.room = 1;
  begin(full, 1, read_3);
  EXPECT_EQ(answer(op_, all({abc, tests::ready_open}), read_3), progress::more);
  EXPECT_EQ(answer(op_, all({def, tests::ready_open})), progress::failed);
  expect_failure(errc::local_payload, "chunk 1 (from byte 3 on): no space left on device", "");
  EXPECT_EQ(full.text, "abc");
}

// Case C26: judged by the last Z.
TEST_F(PgLoreadExchange, IsRefusedOutsideATransaction) {
  session_.status = transaction_status::idle;
  op_.set(1, sink_, {8, 3});
  EXPECT_EQ(tests::start(op_, ""), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_wrong_state);
}

TEST_F(PgLoreadExchange, AChunkSizeThatNoMessageHoldsIsRefused) {
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 30}) {
    op_.set(1, sink_, {8, size});
    EXPECT_EQ(tests::start(op_, ""), progress::failed);
    EXPECT_EQ(op_.why().cause.code, errc::local_bad_value);
  }
}

TEST_F(PgLoreadExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_open);
  expect_misplaced(all({abc, abc}));
  expect_misplaced(all({tests::syntax_error, abc}));
  expect_misplaced(tests::one_row);
}

}  // namespace
}  // namespace codecs::pg
