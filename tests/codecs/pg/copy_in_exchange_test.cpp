#include "codecs/pg/copy_in_exchange.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/script.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::bound;

// Bind of the unnamed portal to y, which takes nothing; Execute of all rows.
constexpr std::string_view copy = " 42 00000011 00 7900 0001 0001 0000 0001 0001  45 00000009 00 00000000 ";
// CopyData: the head of the stream, and rows of three fields: file 7 (8 bytes), n (4 bytes), the chunk.
constexpr std::string_view head_and_abc = R"(
  64 00000034 5047434f50590aff0d0a00 00000000 00000000
  0003 00000008 0000000000000007 00000004 00000000 00000003 616263 )";
constexpr std::string_view def =
    " 64 00000021 0003 00000008 0000000000000007 00000004 00000001 00000003 646566 ";
constexpr std::string_view gh =
    " 64 00000020 0003 00000008 0000000000000007 00000004 00000002 00000002 6768 ";
constexpr std::string_view head_and_def = R"(
  64 00000034 5047434f50590aff0d0a00 00000000 00000000
  0003 00000008 0000000000000007 00000004 00000001 00000003 646566 )";
constexpr std::string_view head_and_gh = R"(
  64 00000033 5047434f50590aff0d0a00 00000000 00000000
  0003 00000008 0000000000000007 00000004 00000002 00000002 6768 )";
constexpr std::string_view end = " 64 00000006 ffff  63 00000004 ";  // the trailer, CopyDone
constexpr std::string_view flush = " 48 00000004 ";
constexpr std::string_view sync = " 53 00000004 ";
constexpr std::string_view undo = " 45 0000000d 756e646f00 00000000 ";  // Execute of portal undo
constexpr std::string_view source_failed =
    " 66 0000001a 74686520736f7572636520686173206661696c656400 ";  // CopyFail

constexpr std::string_view go_ahead = " 47 0000000d 01 0003 0001 0001 0001 ";  // CopyInResponse
constexpr std::string_view copy_1 = " 43 0000000b 434f5059203100 ";
constexpr std::string_view copy_2 = " 43 0000000b 434f5059203200 ";
constexpr std::string_view copy_3 = " 43 0000000b 434f5059203300 ";

class PgCopyInExchange : public testing::Test {
 protected:
  static constexpr std::size_t no_window = 1'000'000;

  void begin(chunk_source& source, std::size_t window_bytes, std::string_view request) {
    op_.set(7, source, 3, window_bytes);
    ASSERT_EQ(tests::start(op_, request), progress::more);
  }
  void begin_whole(chunk_source& source) {
    begin(source, no_window, all({copy, head_and_abc, def, gh, end, sync}));
  }
  /// A COPY for each chunk; the window is full with two.
  void begin_in_part(chunk_source& source) {
    begin(source, 6, all({copy, head_and_abc, end, flush, copy, head_and_def, end, flush}));
  }
  void expect_failure(errc code, std::string_view text) {
    EXPECT_EQ(op_.why().cause.code, code);
    EXPECT_EQ(op_.why().text, text);
    EXPECT_FALSE(op_.why().out_of_step);
  }
  void expect_misplaced(std::string_view replies) {
    tests::text_source source(content_);
    begin_whole(source);
    tests::expect_misplaced(op_, replies);
  }

  const bytes_view content_ = as_bytes("abcdefgh");
  tests::text_source source_{content_};
  session session_;
  copy_in_exchange op_{session_};
};

TEST_F(PgCopyInExchange, IsOneCopyAndOneRoundTrip) {
  for (int i = 0; i < 2; ++i) {
    tests::text_source source(content_);
    begin_whole(source);
    EXPECT_EQ(op_.take_frames_sent(), 8u);  // B E d d d d c S
    EXPECT_EQ(answer(op_, all({bound, go_ahead, tests::any_time})), progress::more);
    EXPECT_EQ(source.released, 0);
    EXPECT_EQ(answer(op_, copy_3), progress::more);
    EXPECT_EQ(source.released, 3);
    EXPECT_EQ(answer(op_, tests::ready_idle), progress::done);
  }
}

TEST_F(PgCopyInExchange, AnEmptyFileHasNoCopy) {
  tests::text_source empty{bytes_view()};
  begin(empty, no_window, sync);
  EXPECT_EQ(answer(op_, tests::ready_idle), progress::done);
}

TEST_F(PgCopyInExchange, IsACopyForEachHalfOfTheWindow) {
  begin_in_part(source_);
  EXPECT_EQ(answer(op_, all({bound, go_ahead, copy_1}), all({copy, head_and_gh, end, sync})), progress::more);
  EXPECT_EQ(source_.released, 1);
  EXPECT_EQ(answer(op_, all({bound, go_ahead, copy_1, bound, go_ahead, copy_1, tests::ready_idle})),
            progress::done);
  EXPECT_EQ(source_.released, 3);

  tests::text_source twelve(std::string_view("abcdefgh"));
  begin(twelve, 12, all({copy, head_and_abc, def, end, flush, copy, head_and_gh, end, sync}));
  EXPECT_EQ(answer(op_, all({bound, go_ahead, copy_2})), progress::more);
  EXPECT_EQ(twelve.released, 2);
  EXPECT_EQ(answer(op_, all({bound, go_ahead, copy_1, tests::ready_idle})), progress::done);
}

// [head, chunk][head of d, chunk] ...: payload is borrowed.
TEST_F(PgCopyInExchange, BorrowsTheChunks) {
  const tests::bytes content(3 * 4096, 'x');
  tests::text_source source(content);
  op_.set(7, source, 4096, no_window);
  wire::gather_buffer out;
  ASSERT_EQ(op_.start(out), progress::more);
  const auto segments = out.segments();
  ASSERT_EQ(segments.size(), 7u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(segments[2 * i + 1].data(), content.data() + i * 4096);
  EXPECT_EQ(segments[2].size(), 31u);
  EXPECT_EQ(out.copied_bytes(), 0u);
}

// Data that are on their way are skipped by the server, up to the Sync.
TEST_F(PgCopyInExchange, AnErrorStopsTheSender) {
  begin_in_part(source_);
  EXPECT_EQ(answer(op_, all({bound, go_ahead, tests::syntax_error}), sync), progress::more);
  EXPECT_EQ(source_.taken, 2);
  EXPECT_EQ(answer(op_, tests::ready_idle), progress::failed);
  expect_failure(errc::remote_server_error, "chunk 0 (from byte 0 on): ERROR: no (42601)");
}

TEST_F(PgCopyInExchange, AnErrorIsToldWithTheChunksOfItsCopy) {
  begin_whole(source_);
  EXPECT_EQ(answer(op_, all({bound, tests::syntax_error, tests::ready_idle})), progress::failed);
  expect_failure(errc::remote_server_error,
                 "chunk 0 (from byte 0 on) or one of the 2 behind it: ERROR: no (42601)");
  tests::text_source second(content_);
  begin_in_part(second);
  EXPECT_EQ(answer(op_, all({bound, go_ahead, copy_1}), all({copy, head_and_gh, end, sync})), progress::more);
  EXPECT_EQ(
      answer(op_, all({bound, go_ahead, copy_1, bound, go_ahead, tests::syntax_error, tests::ready_idle})),
      progress::failed);
  expect_failure(errc::remote_server_error, "chunk 2 (from byte 6 on): ERROR: no (42601)");
}

TEST_F(PgCopyInExchange, ASourceThatFailsInACopyEndsItByCopyFail) {
  tests::text_source shrunk(content_);
  shrunk.good = 1;
  begin(shrunk, no_window, all({copy, head_and_abc, source_failed, sync}));
  EXPECT_EQ(answer(op_, all({bound, go_ahead, tests::syntax_error, tests::ready_idle})), progress::failed);
  expect_failure(errc::local_payload, "chunk 1 (from byte 3 on): the file has shrunk");
  begin_whole(source_);  // begins anew
}

TEST_F(PgCopyInExchange, ASourceThatFailsBetweenTwoIsRolledBack) {
  tests::text_source shrunk(content_);
  shrunk.good = 1;
  begin(shrunk, 6, all({copy, head_and_abc, end, flush, undo, sync}));
  EXPECT_EQ(answer(op_, all({bound, go_ahead, copy_1, tests::syntax_error, tests::ready_idle})),
            progress::failed);
  expect_failure(errc::local_payload, "chunk 1 (from byte 3 on): the file has shrunk");
  tests::text_source nothing(content_);
  nothing.good = 0;
  begin(nothing, 6, all({undo, sync}));
  EXPECT_EQ(answer(op_, all({tests::syntax_error, tests::ready_idle})), progress::failed);
  expect_failure(errc::local_payload, "chunk 0 (from byte 0 on): the file has shrunk");
}

TEST_F(PgCopyInExchange, AnotherNumberOfRowsIsAFailure) {
  begin_in_part(source_);
  EXPECT_EQ(answer(op_, all({bound, go_ahead, copy_2}), all({undo, sync})), progress::more);
  EXPECT_EQ(answer(op_, all({bound, go_ahead, copy_1, tests::syntax_error, tests::ready_idle})),
            progress::failed);
  expect_failure(errc::remote_server_error,
                 "chunk 0 (from byte 0 on): the server answered COPY 2 to 1 chunks");
}

TEST_F(PgCopyInExchange, AnotherFormatBreaksTheStream) {
  const std::string_view formats[] = {" 47 0000000d 00 0003 0000 0000 0000 ",
                                      " 47 0000000b 01 0002 0001 0001 ", " 47 00000008 01 0001 00 "};
  for (const auto format : formats) {
    tests::text_source source(content_);
    begin_whole(source);
    EXPECT_EQ(answer(op_, all({bound, format})), progress::failed) << format;
    EXPECT_TRUE(breaks_stream(op_.why().cause.code));
  }
}

TEST_F(PgCopyInExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_idle);
  expect_misplaced(go_ahead);
  expect_misplaced(all({bound, bound}));
  expect_misplaced(all({bound, copy_3}));
  expect_misplaced(all({bound, tests::one_row}));
  expect_misplaced(all({bound, go_ahead, go_ahead}));
  expect_misplaced(all({bound, go_ahead, tests::ready_idle}));
  expect_misplaced(all({bound, go_ahead, copy_3, copy_3}));
  expect_misplaced(all({tests::syntax_error, go_ahead}));
}

}  // namespace
}  // namespace codecs::pg
