#include "codecs/pg/lowrite_exchange.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/script.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;

// FunctionCall lowrite(7, ...), field by field in function_call_test.cpp
constexpr std::string_view write_abc =
    " 46 0000001f 000003bb 0001 0001 0002 00000004 00000007 00000003 616263 0001 ";
constexpr std::string_view write_def =
    " 46 0000001f 000003bb 0001 0001 0002 00000004 00000007 00000003 646566 0001 ";
constexpr std::string_view write_gh =
    " 46 0000001e 000003bb 0001 0001 0002 00000004 00000007 00000002 6768 0001 ";
constexpr std::string_view wrote_3 = " 56 0000000c 00000004 00000003 ";
constexpr std::string_view wrote_2 = " 56 0000000c 00000004 00000002 ";

/// S ERROR, V ERROR, C 25P02, M no
constexpr std::string_view failed_transaction =
    " 45 0000001e 53 4552524f5200 56 4552524f5200 43 323550303200 4d 6e6f00 00 ";

class PgLowriteExchange : public testing::Test {
 protected:
  PgLowriteExchange() { session_.status = transaction_status::open; }
  void begin(chunk_source& source, std::size_t depth, std::string_view request) {
    op_.set(7, source, 3, depth);
    ASSERT_EQ(tests::start(op_, request), progress::more);
  }
  void expect_misplaced(std::string_view replies) {
    tests::text_source source(content_);
    begin(source, 3, all({write_abc, write_def, write_gh}));
    tests::expect_misplaced(op_, replies);
  }

  const bytes_view content_ = as_bytes("abcdefgh");
  tests::text_source source_{content_};
  session session_;
  lowrite_exchange op_{session_};
};

TEST_F(PgLowriteExchange, KeepsItsDepthOfCallsInFlight) {
  begin(source_, 2, all({write_abc, write_def}));
  EXPECT_EQ(source_.taken, 2);
  EXPECT_EQ(answer(op_, all({wrote_3, tests::ready_open}), write_gh), progress::more);
  EXPECT_EQ(source_.released, 1);
  EXPECT_EQ(answer(op_, all({tests::any_time, wrote_3, tests::any_time, tests::ready_open})), progress::more);
  EXPECT_EQ(answer(op_, all({wrote_2, tests::ready_open})), progress::done);
  EXPECT_EQ(source_.released, 3);
  EXPECT_EQ(op_.take_frames_sent(), 3u);
}

TEST_F(PgLowriteExchange, OneCallAtATime) {
  begin(source_, 1, write_abc);
  EXPECT_EQ(answer(op_, all({wrote_3, tests::ready_open}), write_def), progress::more);
  EXPECT_EQ(answer(op_, all({wrote_3, tests::ready_open}), write_gh), progress::more);
  EXPECT_EQ(answer(op_, all({wrote_2, tests::ready_open})), progress::done);
}

TEST_F(PgLowriteExchange, AnEmptyFileIsWrittenWithoutACall) {
  tests::text_source empty{bytes_view()};
  op_.set(7, empty, 3, 2);
  EXPECT_EQ(tests::start(op_, ""), progress::done);
}

TEST_F(PgLowriteExchange, AWrongCountEndsTheUpload) {
  for (int i = 0; i < 2; ++i) {
    tests::text_source source(content_);
    begin(source, 2, all({write_abc, write_def}));
    EXPECT_EQ(answer(op_, all({wrote_2, tests::ready_open, wrote_3, tests::ready_open})), progress::failed);
    EXPECT_EQ(op_.why().cause.code, errc::remote_server_error);
    EXPECT_EQ(op_.why().text, "chunk 0 (from byte 0 on): 2 of 3 bytes were written");
    EXPECT_FALSE(op_.why().out_of_step);
    EXPECT_EQ(source.taken, 2);  // none after it
  }
}

// Those in flight are awaited, each with an error and a Z of its own; the first error counts.
TEST_F(PgLowriteExchange, AnErrorInTheMiddleIsToldWithItsChunk) {
  tests::text_source source(as_bytes("abcdefabc"));
  begin(source, 2, all({write_abc, write_def}));
  EXPECT_EQ(answer(op_, all({wrote_3, tests::ready_open}), write_abc), progress::more);
  EXPECT_EQ(
      answer(op_, all({tests::syntax_error, tests::ready_failed, failed_transaction, tests::ready_failed})),
      progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_server_error);
  EXPECT_EQ(op_.why().text, "chunk 1 (from byte 3 on): ERROR: no (42601)");
  EXPECT_EQ(session_.status, transaction_status::failed);
}

TEST_F(PgLowriteExchange, ASourceThatFailsIsToldWithItsChunk) {
  tests::text_source shrunk(content_);
  shrunk.good = 1;
  begin(shrunk, 2, write_abc);
  EXPECT_EQ(answer(op_, all({wrote_3, tests::ready_open})), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_payload);
  EXPECT_EQ(op_.why().text, "chunk 1 (from byte 3 on): the file has shrunk");
  EXPECT_EQ(session_.status, transaction_status::open);

  tests::text_source gone(content_);
  gone.good = 0;
  op_.set(7, gone, 3, 2);
  EXPECT_EQ(tests::start(op_, ""), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_payload);
}

TEST_F(PgLowriteExchange, ASourceThatChangedIsToldAtTheEnd) {
  source_.changed = true;
  begin(source_, 3, all({write_abc, write_def, write_gh}));
  EXPECT_EQ(
      answer(op_, all({wrote_3, tests::ready_open, wrote_3, tests::ready_open, wrote_2, tests::ready_open})),
      progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_payload);
  EXPECT_EQ(op_.why().text, "the file has shrunk");
}

// Case C26: judged by the last Z.
TEST_F(PgLowriteExchange, IsRefusedOutsideATransaction) {
  session_.status = transaction_status::idle;
  op_.set(7, source_, 3, 2);
  EXPECT_EQ(tests::start(op_, ""), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_wrong_state);
  EXPECT_EQ(source_.taken, 0);
}

TEST_F(PgLowriteExchange, AChunkSizeThatNoMessageHoldsIsRefused) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1} << 30, SIZE_MAX}) {
    op_.set(7, source_, size, 2);
    EXPECT_EQ(tests::start(op_, ""), progress::failed);
    EXPECT_EQ(op_.why().cause.code, errc::local_bad_value);
  }
}

TEST_F(PgLowriteExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_open);
  expect_misplaced(all({wrote_3, wrote_3}));
  expect_misplaced(all({tests::syntax_error, wrote_3}));
  expect_misplaced(all({wrote_3, tests::ready_open, tests::ready_open}));
  expect_misplaced(tests::one_row);
}

TEST_F(PgLowriteExchange, AResultThatIsNoInt4BreaksTheStream) {
  begin(source_, 1, write_abc);
  EXPECT_EQ(answer(op_, "56 00000010 00000008 0000000000000003"), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_bad_value);
}

// 29 + N bytes for each chunk, of which N are borrowed.
TEST_F(PgLowriteExchange, ChunksAreNeverCopied) {
  const tests::bytes content(3 * 4096, 'x');
  tests::text_source source(content);
  op_.set(7, source, 4096, 3);
  wire::gather_buffer out;
  ASSERT_EQ(op_.start(out), progress::more);
  EXPECT_EQ(out.size(), 3 * (29 + 4096u));
  ASSERT_EQ(out.segments().size(), 7u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(out.segments()[2 * i + 1].data(), content.data() + i * 4096);
  EXPECT_EQ(out.copied_bytes(), 0u);
}

}  // namespace
}  // namespace codecs::pg
