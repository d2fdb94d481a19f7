#include "codecs/pg/chunk_insert_exchange.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/script.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::bound;
using tests::insert_1;

// Bind of the unnamed portal to i, binary both ways: file 7 (8 bytes), n (4 bytes), the chunk; Execute of all rows.
constexpr std::string_view insert_abc = R"(
  42 0000002c 00 6900 0001 0001 0003 00000008 0000000000000007 00000004 00000000 00000003 616263 0001 0001
  45 00000009 00 00000000 )";
constexpr std::string_view insert_def = R"(
  42 0000002c 00 6900 0001 0001 0003 00000008 0000000000000007 00000004 00000001 00000003 646566 0001 0001
  45 00000009 00 00000000 )";
constexpr std::string_view insert_gh = R"(
  42 0000002b 00 6900 0001 0001 0003 00000008 0000000000000007 00000004 00000002 00000002 6768 0001 0001
  45 00000009 00 00000000 )";
constexpr std::string_view flush = " 48 00000004 ";
constexpr std::string_view sync = " 53 00000004 ";
constexpr std::string_view undo = " 45 0000000d 756e646f00 00000000 ";  // Execute of portal undo

const std::string inserted = all({bound, insert_1});

class PgChunkInsertExchange : public testing::Test {
 protected:
  static constexpr std::size_t no_window = 1'000'000;

  void begin(chunk_source& source, std::size_t window_bytes, std::string_view request) {
    op_.set(7, source, 3, window_bytes);
    ASSERT_EQ(tests::start(op_, request), progress::more);
  }
  void begin_whole(chunk_source& source) {
    begin(source, no_window, all({insert_abc, insert_def, insert_gh, sync}));
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
  chunk_insert_exchange op_{session_};
};

TEST_F(PgChunkInsertExchange, IsOneRoundTrip) {
  for (int i = 0; i < 2; ++i) {
    tests::text_source source(content_);
    begin_whole(source);
    EXPECT_EQ(op_.take_frames_sent(), 7u);
    EXPECT_EQ(answer(op_, all({inserted, tests::any_time, inserted, inserted, tests::ready_idle})),
              progress::done);
    EXPECT_EQ(source.released, 3);
  }
}

TEST_F(PgChunkInsertExchange, AnEmptyFileHasNoRow) {
  tests::text_source empty{bytes_view()};
  begin(empty, no_window, sync);
  EXPECT_EQ(answer(op_, tests::ready_idle), progress::done);
}

// Four chunks at a time, two of which are a batch.
TEST_F(PgChunkInsertExchange, AWindowIsFlushedByHalves) {
  tests::text_source source(std::string_view("abcdefabcdefgh"));
  const auto numbered = [](std::string_view insert, int n) {
    std::string other(insert);
    other.replace(other.find("00000004 0000000") + 16, 1, 1, static_cast<char>('0' + n));
    return other;
  };
  begin(source, 12,
        all({insert_abc, insert_def, flush, numbered(insert_abc, 2), numbered(insert_def, 3), flush}));
  EXPECT_EQ(answer(op_, inserted), progress::more);  // room for one, which is not yet a batch
  EXPECT_EQ(source.taken, 4);
  EXPECT_EQ(answer(op_, inserted, all({numbered(insert_gh, 4), sync})), progress::more);
  EXPECT_EQ(answer(op_, all({inserted, inserted, inserted, tests::ready_idle})), progress::done);
}

// In a block it is the block that goes on or fails.
TEST_F(PgChunkInsertExchange, MayBePartOfATransaction) {
  session_.status = transaction_status::open;
  begin_whole(source_);
  EXPECT_EQ(answer(op_, all({inserted, inserted, inserted, tests::ready_open})), progress::done);
  EXPECT_EQ(session_.status, transaction_status::open);
  tests::text_source second(content_);
  begin_whole(second);
  EXPECT_EQ(answer(op_, all({inserted, tests::syntax_error, tests::ready_failed})), progress::failed);
  EXPECT_EQ(session_.status, transaction_status::failed);
}

TEST_F(PgChunkInsertExchange, AnErrorStopsTheSenderAndIsToldWithItsChunk) {
  begin(source_, 6, all({insert_abc, flush, insert_def, flush}));
  EXPECT_EQ(answer(op_, all({bound, tests::syntax_error}), sync), progress::more);
  EXPECT_EQ(source_.taken, 2);
  EXPECT_EQ(answer(op_, tests::ready_idle), progress::failed);
  expect_failure(errc::remote_server_error, "chunk 0 (from byte 0 on): ERROR: no (42601)");
}

TEST_F(PgChunkInsertExchange, AnErrorOnTheLastChunkAndAtTheCommitIsTold) {
  begin_whole(source_);
  EXPECT_EQ(answer(op_, all({inserted, inserted, tests::syntax_error, tests::ready_idle})), progress::failed);
  expect_failure(errc::remote_server_error, "chunk 2 (from byte 6 on): ERROR: no (42601)");
  tests::text_source second(content_);
  begin_whole(second);
  EXPECT_EQ(answer(op_, all({inserted, inserted, inserted, tests::syntax_error, tests::ready_idle})),
            progress::failed);
  expect_failure(errc::remote_server_error, "commit: ERROR: no (42601)");
}

TEST_F(PgChunkInsertExchange, ASourceThatFailsIsRolledBack) {
  for (const int good : {0, 1, 2}) {
    tests::text_source shrunk(content_);
    shrunk.good = good;
    const std::string_view taken[] = {"", insert_abc, insert_def};
    std::string request;
    std::string replies;
    for (int i = 1; i <= good; ++i) {
      request += taken[i];
      replies += inserted;
    }
    begin(shrunk, no_window, all({request, undo, sync}));
    EXPECT_EQ(answer(op_, all({replies, tests::syntax_error, tests::ready_idle})), progress::failed);
    expect_failure(errc::local_payload, "chunk " + std::to_string(good) + " (from byte " +
                                            std::to_string(3 * good) + " on): the file has shrunk");
  }
}

// It would mean that the server has committed.
TEST_F(PgChunkInsertExchange, ARollbackWithoutItsErrorBreaksTheStream) {
  source_.good = 1;
  begin(source_, no_window, all({insert_abc, undo, sync}));
  tests::expect_misplaced(op_, all({inserted, tests::ready_idle}));
}

TEST_F(PgChunkInsertExchange, AnotherTagIsAFailure) {
  begin(source_, 6, all({insert_abc, flush, insert_def, flush}));
  EXPECT_EQ(answer(op_, all({bound, " 43 0000000f 494e534552542030203000 "}), all({undo, sync})),
            progress::more);
  EXPECT_EQ(answer(op_, all({inserted, tests::syntax_error, tests::ready_idle})), progress::failed);
  expect_failure(errc::remote_server_error, "chunk 0 (from byte 0 on): the server answered INSERT 0 0");
}

TEST_F(PgChunkInsertExchange, ASourceThatChangedIsToldAtTheEnd) {
  source_.changed = true;
  begin_whole(source_);
  EXPECT_EQ(answer(op_, all({inserted, inserted, inserted, tests::ready_idle})), progress::failed);
  expect_failure(errc::local_payload, "the file has shrunk");
}

// n is an int4: case C18, for PostgreSQL.
TEST_F(PgChunkInsertExchange, MoreChunksThanAnInt4CountsAreRefused) {
  tests::sparse_source many(std::int64_t{2'147'483'648} * 3 + 1, content_);
  op_.set(7, many, 3, 6);
  EXPECT_EQ(tests::start(op_, ""), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_bad_value);
  op_.set(7, source_, 0, 6);
  EXPECT_EQ(tests::start(op_, ""), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_bad_value);
  EXPECT_EQ(source_.taken, 0);
}

TEST_F(PgChunkInsertExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_idle);
  expect_misplaced(insert_1);
  expect_misplaced(all({bound, bound}));
  expect_misplaced(all({bound, tests::one_row}));
  expect_misplaced(all({inserted, inserted, tests::ready_idle}));
  expect_misplaced(all({inserted, inserted, inserted, bound}));
  expect_misplaced(all({tests::syntax_error, bound}));
}

}  // namespace
}  // namespace codecs::pg
