#include "codecs/pg/lo_upload_exchange.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/script.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::bound;
using tests::select_1;

// Requests: Bind of the unnamed portal to n, w or c, binary both ways, and Execute of all rows.
constexpr std::string_view execute_all = " 45 00000009 00 00000000 ";
constexpr std::string_view bind_create = " 42 00000019 00 6e00 0001 0001 0001 00000004 00000000 0001 0001 ";
constexpr std::string_view bind_abc =
    " 42 00000020 00 7700 0001 0001 0002 00000004 00000000 00000003 616263 0001 0001 ";
constexpr std::string_view bind_def =
    " 42 00000020 00 7700 0001 0001 0002 00000004 00000000 00000003 646566 0001 0001 ";
constexpr std::string_view bind_gh =
    " 42 0000001f 00 7700 0001 0001 0002 00000004 00000000 00000002 6768 0001 0001 ";
constexpr std::string_view bind_close = " 42 00000019 00 6300 0001 0001 0001 00000004 00000000 0001 0001 ";
constexpr std::string_view undo = " 45 0000000d 756e646f00 00000000 ";  // Execute of portal undo
constexpr std::string_view flush = " 48 00000004 ";
constexpr std::string_view sync = " 53 00000004 ";

// Rows: object 16398 and descriptor 0, an int4.
constexpr std::string_view object_row = " 44 00000016 0002 00000004 0000400e 00000004 00000000 ";
constexpr std::string_view row_of_3 = " 44 0000000e 0001 00000004 00000003 ";
constexpr std::string_view row_of_2 = " 44 0000000e 0001 00000004 00000002 ";
constexpr std::string_view row_of_0 = " 44 0000000e 0001 00000004 00000000 ";

std::string sent(std::string_view bind) {
  return all({bind, execute_all});
}
std::string executed(std::string_view row) {
  return all({bound, row, select_1});
}

class PgLoUploadExchange : public testing::Test {
 protected:
  static constexpr std::size_t no_window = 1'000'000;

  void begin(chunk_source& source, std::size_t window_bytes, std::string_view request) {
    op_.set(0, source, 3, window_bytes);
    ASSERT_EQ(tests::start(op_, request), progress::more);
  }
  /// All in one write.
  void begin_whole(chunk_source& source) {
    begin(source, no_window,
          all({sent(bind_create), sent(bind_abc), sent(bind_def), sent(bind_gh), sent(bind_close), sync}));
  }
  /// Two chunks of three; the window is full.
  void begin_in_part(chunk_source& source) {
    begin(source, 6, all({sent(bind_create), sent(bind_abc), flush, sent(bind_def), flush}));
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
  lo_upload_exchange op_{session_};
};

TEST_F(PgLoUploadExchange, IsOneRoundTrip) {
  for (int i = 0; i < 2; ++i) {
    tests::text_source source(content_);
    begin_whole(source);
    EXPECT_EQ(op_.take_frames_sent(), 11u);  // 5 times B and E, S
    EXPECT_EQ(answer(op_, all({executed(object_row), tests::any_time, executed(row_of_3), executed(row_of_3),
                               executed(row_of_2), executed(row_of_0), tests::ready_idle})),
              progress::done);
    EXPECT_EQ(op_.object(), 16'398u);
    EXPECT_EQ(source.released, 3);
  }
}

TEST_F(PgLoUploadExchange, AnEmptyFileIsAnEmptyObject) {
  tests::text_source empty{bytes_view()};
  begin(empty, no_window, all({sent(bind_create), sent(bind_close), sync}));
  EXPECT_EQ(answer(op_, all({executed(object_row), executed(row_of_0), tests::ready_idle})), progress::done);
}

// Replies come at a Flush: one stands behind each half window, and wherever the sender has to wait.
TEST_F(PgLoUploadExchange, AWindowIsFlushedByHalves) {
  begin_in_part(source_);
  EXPECT_EQ(source_.taken, 2);
  EXPECT_EQ(answer(op_, executed(object_row)), progress::more);
  EXPECT_EQ(answer(op_, executed(row_of_3), all({sent(bind_gh), sent(bind_close), sync})), progress::more);
  EXPECT_EQ(answer(op_, all({executed(row_of_3), executed(row_of_2), executed(row_of_0), tests::ready_idle})),
            progress::done);
  EXPECT_EQ(op_.take_frames_sent(), 13u);  // two of Flush
}

TEST_F(PgLoUploadExchange, AWindowBelowAChunkHoldsOne) {
  begin(source_, 1, all({sent(bind_create), sent(bind_abc), flush}));
  EXPECT_EQ(answer(op_, executed(object_row)), progress::more);
  EXPECT_EQ(answer(op_, executed(row_of_3), all({sent(bind_def), flush})), progress::more);
  EXPECT_EQ(answer(op_, executed(row_of_3), all({sent(bind_gh), sent(bind_close), sync})), progress::more);
  EXPECT_EQ(answer(op_, all({executed(row_of_2), executed(row_of_0), tests::ready_idle})), progress::done);
}

TEST_F(PgLoUploadExchange, AnErrorStopsTheSenderAndIsFollowedByASync) {
  begin_in_part(source_);
  EXPECT_EQ(answer(op_, all({executed(object_row), tests::syntax_error}), sync), progress::more);
  EXPECT_EQ(source_.taken, 2);
  EXPECT_EQ(answer(op_, tests::ready_idle), progress::failed);
  expect_failure(errc::remote_server_error, "chunk 0 (from byte 0 on): ERROR: no (42601)");
}

TEST_F(PgLoUploadExchange, AnErrorAtAMiddleChunkIsToldWithIt) {
  for (int i = 0; i < 2; ++i) {
    tests::text_source source(content_);
    begin_whole(source);
    EXPECT_EQ(answer(op_, all({executed(object_row), executed(row_of_3), tests::syntax_error, tests::any_time,
                               tests::ready_idle})),
              progress::failed);
    expect_failure(errc::remote_server_error, "chunk 1 (from byte 3 on): ERROR: no (42601)");
  }
  begin_whole(source_);  // and as well behind a BindComplete
  EXPECT_EQ(answer(op_, all({executed(object_row), executed(row_of_3), bound, tests::syntax_error,
                             tests::ready_idle})),
            progress::failed);
  expect_failure(errc::remote_server_error, "chunk 1 (from byte 3 on): ERROR: no (42601)");
}

TEST_F(PgLoUploadExchange, ErrorsBeforeAndBehindTheChunksAreToldApart) {
  begin_whole(source_);
  EXPECT_EQ(answer(op_, all({tests::syntax_error, tests::ready_idle})), progress::failed);
  EXPECT_EQ(op_.why().text, "create: ERROR: no (42601)");

  const auto written =
      all({executed(object_row), executed(row_of_3), executed(row_of_3), executed(row_of_2)});
  tests::text_source second(content_);
  begin_whole(second);
  EXPECT_EQ(answer(op_, all({written, tests::syntax_error, tests::ready_idle})), progress::failed);
  EXPECT_EQ(op_.why().text, "close: ERROR: no (42601)");

  tests::text_source third(content_);
  begin_whole(third);
  EXPECT_EQ(answer(op_, all({written, executed(row_of_0), tests::syntax_error, tests::ready_idle})),
            progress::failed);
  EXPECT_EQ(op_.why().text, "commit: ERROR: no (42601)");
}

// A portal that is not there makes the server roll back.
TEST_F(PgLoUploadExchange, ASourceThatFailsIsRolledBack) {
  tests::text_source shrunk(content_);
  shrunk.good = 1;
  begin(shrunk, no_window, all({sent(bind_create), sent(bind_abc), undo, sync}));
  EXPECT_EQ(answer(op_, all({executed(object_row), executed(row_of_3), bound, tests::syntax_error,
                             tests::ready_idle})),
            progress::failed);
  expect_failure(errc::local_payload, "chunk 1 (from byte 3 on): the file has shrunk");
}

// Too late for a rollback: the object is told, so that it may be removed.
TEST_F(PgLoUploadExchange, ASourceThatChangedIsToldAtTheEnd) {
  source_.changed = true;
  begin_whole(source_);
  EXPECT_EQ(answer(op_, all({executed(object_row), executed(row_of_3), executed(row_of_3), executed(row_of_2),
                             executed(row_of_0), tests::ready_idle})),
            progress::failed);
  expect_failure(errc::local_payload, "the file has shrunk");
  EXPECT_EQ(op_.object(), 16'398u);
}

// The guess that the first descriptor is 0, and the count of each chunk.
TEST_F(PgLoUploadExchange, AnotherDescriptorIsRolledBack) {
  begin_in_part(source_);
  const auto other = all({bound, " 44 00000016 0002 00000004 0000400e 00000004 00000001 "});
  EXPECT_EQ(answer(op_, other, all({undo, sync})), progress::more);
  EXPECT_EQ(answer(op_, all({select_1, executed(row_of_3), executed(row_of_3), bound, tests::syntax_error,
                             tests::ready_idle})),
            progress::failed);
  expect_failure(errc::remote_server_error, "create: the descriptor is 1 and not 0");
}

TEST_F(PgLoUploadExchange, AWrongCountIsRolledBack) {
  begin_in_part(source_);
  EXPECT_EQ(answer(op_, all({executed(object_row), bound, row_of_2}), all({undo, sync})), progress::more);
  EXPECT_EQ(answer(op_, all({select_1, executed(row_of_3), bound, tests::syntax_error, tests::ready_idle})),
            progress::failed);
  expect_failure(errc::remote_server_error, "chunk 0 (from byte 0 on): the server returned 2 and not 3");
}

TEST_F(PgLoUploadExchange, AWrongCountBehindTheSyncIsStillAFailure) {
  begin_whole(source_);
  EXPECT_EQ(answer(op_, all({executed(object_row), executed(row_of_3), executed(row_of_3), executed(row_of_3),
                             executed(row_of_0), tests::ready_idle})),
            progress::failed);
  expect_failure(errc::remote_server_error, "chunk 2 (from byte 6 on): the server returned 3 and not 2");
}

TEST_F(PgLoUploadExchange, AnObjectOfOnesOwnChoiceMustBeThatObject) {
  op_.set(16'398, source_, 3, 3);
  const auto create = all({" 42 00000019 00 6e00 0001 0001 0001 00000004 0000400e 0001 0001 ", execute_all});
  ASSERT_EQ(tests::start(op_, all({create, sent(bind_abc), flush})), progress::more);
  EXPECT_EQ(answer(op_, executed(object_row)), progress::more);

  tests::text_source second(content_);
  op_.set(16'398, second, 3, 3);
  ASSERT_EQ(tests::start(op_, all({create, sent(bind_abc), flush})), progress::more);
  const auto other = all({bound, " 44 00000016 0002 00000004 0000400f 00000004 00000000 "});
  EXPECT_EQ(answer(op_, other, all({undo, sync})), progress::more);
}

TEST_F(PgLoUploadExchange, IsRefusedWhereItIsNoTransactionOfItsOwn) {
  for (const auto status : {transaction_status::open, transaction_status::failed}) {
    session_.status = status;
    op_.set(0, source_, 3, 6);
    EXPECT_EQ(tests::start(op_, ""), progress::failed);
    EXPECT_EQ(op_.why().cause.code, errc::local_wrong_state);
  }
  session_.status = transaction_status::idle;
  op_.set(0, source_, 0, 6);
  EXPECT_EQ(tests::start(op_, ""), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_bad_value);
  EXPECT_EQ(source_.taken, 0);
}

TEST_F(PgLoUploadExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_idle);
  expect_misplaced(object_row);
  expect_misplaced(all({bound, bound}));
  expect_misplaced(all({bound, select_1}));
  expect_misplaced(all({bound, object_row, object_row}));
  expect_misplaced(all({bound, object_row, tests::ready_idle}));
  expect_misplaced(all({tests::syntax_error, bound}));
}

TEST_F(PgLoUploadExchange, RowsOfAnotherShapeBreakTheStream) {
  for (const auto row : {row_of_3, std::string_view(" 44 00000006 0000 "),
                         std::string_view(" 44 0000000e 0002 ffffffff ffffffff ")}) {
    tests::text_source source(content_);
    begin_whole(source);
    EXPECT_EQ(answer(op_, all({bound, row})), progress::failed);
    EXPECT_EQ(op_.why().cause.code, errc::remote_bad_value);
  }
}

// [head][chunk][40 bytes][chunk][40 bytes][chunk][tail]: nothing between two chunks depends on them.
TEST_F(PgLoUploadExchange, BetweenTwoChunksAreFortyConstantBytes) {
  const tests::bytes content(3 * 4096, 'x');
  tests::text_source source(content);
  op_.set(0, source, 4096, no_window);
  wire::gather_buffer out;
  ASSERT_EQ(op_.start(out), progress::more);
  const auto segments = out.segments();
  ASSERT_EQ(segments.size(), 7u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(segments[2 * i + 1].data(), content.data() + i * 4096);
  EXPECT_EQ(segments[2].size(), 40u);
  EXPECT_EQ(tests::to_hex(segments[2]),
            "00010001"  // the rest of Bind: one result format, binary
            "450000000900"
            "00000000"                  // Execute
            "420000101d00770000010001"  // Bind, length 29 + 4096, "", "w", one parameter format, binary
            "0002"
            "0000000400000000"  // 2 parameters: descriptor 0,
            "00001000");        // 4096 bytes
  EXPECT_EQ(tests::to_hex(segments[4]), tests::to_hex(segments[2]));
  EXPECT_EQ(out.copied_bytes(), 0u);
}

}  // namespace
}  // namespace codecs::pg
