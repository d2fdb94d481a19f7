#include "codecs/pg/lo_get_exchange.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/script.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::bound;

// Object 16398 in chunks of 3 bytes up to the one with index 2, binary both ways; all rows; Sync.
constexpr std::string_view request = R"(
  42 00000039 00 6700 0001 0001
  0004 00000004 0000400e 00000008 0000000000000003 00000004 00000003 00000008 0000000000000002
  0001 0001
  45 00000009 00 00000000
  53 00000004
)";
constexpr std::string_view abc = " 44 0000000d 0001 00000003 616263 ";
constexpr std::string_view def = " 44 0000000d 0001 00000003 646566 ";
constexpr std::string_view gh = " 44 0000000c 0001 00000002 6768 ";
constexpr std::string_view no_bytes = " 44 0000000a 0001 00000000 ";
constexpr std::string_view null = " 44 0000000a 0001 ffffffff ";
constexpr std::string_view select_3 = " 43 0000000d 53454c454354203300 ";

class PgLoGetExchange : public testing::Test {
 protected:
  void begin(chunk_sink& sink) {
    op_.set(16'398, sink, {8, 3});
    ASSERT_EQ(tests::start(op_, request), progress::more);
  }
  /// A download of these messages between BindComplete and the Z.
  void expect_failure(std::string_view messages, errc code, std::string_view text, std::string_view kept) {
    tests::text_sink sink;
    begin(sink);
    EXPECT_EQ(answer(op_, all({bound, messages, tests::ready_idle})), progress::failed);
    EXPECT_EQ(op_.why().cause.code, code);
    EXPECT_EQ(op_.why().text, text);
    EXPECT_EQ(sink.text, kept);
  }
  void expect_misplaced(std::string_view replies) {
    tests::text_sink sink;
    begin(sink);
    tests::expect_misplaced(op_, replies);
  }

  tests::text_sink sink_;
  session session_;
  lo_get_exchange op_{session_};
};

TEST_F(PgLoGetExchange, IsOneRoundTrip) {
  begin(sink_);
  EXPECT_EQ(answer(op_, all({bound, abc, tests::any_time, def, gh, select_3, tests::ready_idle})),
            progress::done);
  EXPECT_EQ(sink_.text, "abcdefgh");
  EXPECT_EQ(op_.take_frames_sent(), 3u);
}

TEST_F(PgLoGetExchange, AnEmptyFileHasNoRow) {
  op_.set(16'398, sink_, {0, 3});
  ASSERT_EQ(tests::start(op_, R"(
              42 00000039 00 6700 0001 0001
              0004 00000004 0000400e 00000008 0000000000000003 00000004 00000003 00000008 ffffffffffffffff
              0001 0001
              45 00000009 00 00000000
              53 00000004)"),
            progress::more);
  EXPECT_EQ(answer(op_, all({bound, select_3, tests::ready_idle})), progress::done);
}

TEST_F(PgLoGetExchange, ARowOfTheWrongLengthIsNamed) {
  const auto expect_named = [&](std::initializer_list<std::string_view> rows, std::string_view text,
                                std::string_view kept) {
    expect_failure(all(rows) + std::string(select_3), errc::remote_bad_file, text, kept);
  };
  expect_named({abc, gh, gh}, "chunk 1 (from byte 3 on): has 2 bytes and not 3", "abc");
  expect_named({abc, def, abc}, "chunk 2 (from byte 6 on): has 3 bytes and not 2", "abcdef");
  expect_named({null, def, gh}, "chunk 0 (from byte 0 on): has 0 bytes and not 3", "");
  expect_named({abc, def}, "chunk 2 (from byte 6 on): did not come", "abcdef");
  expect_named({abc, def, gh, no_bytes}, "chunk 3 (from byte 8 on): is behind the last one", "abcdefgh");
}

// The object is not there, or goes away while it is read.
TEST_F(PgLoGetExchange, AnErrorIsToldWithItsChunk) {
  expect_failure(tests::syntax_error, errc::remote_server_error,
                 "chunk 0 (from byte 0 on): ERROR: no (42601)", "");
  expect_failure(all({abc, tests::syntax_error}), errc::remote_server_error,
                 "chunk 1 (from byte 3 on): ERROR: no (42601)", "abc");
}

TEST_F(PgLoGetExchange, ASinkThatIsFullGetsNothingMoreAndTheSessionStaysInStep) {
  tests::text_sink full;
  full.room = 1;
  begin(full);
  EXPECT_EQ(answer(op_, all({bound, abc, def, gh, select_3, tests::ready_idle})), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_payload);
  EXPECT_EQ(op_.why().text, "chunk 1 (from byte 3 on): no space left on device");
  EXPECT_EQ(full.text, "abc");  // "gh" would have had room
}

TEST_F(PgLoGetExchange, AChunkSizeThatNoMessageHoldsIsRefused) {
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 30}) {
    op_.set(16'398, sink_, {8, size});
    EXPECT_EQ(tests::start(op_, ""), progress::failed);
    EXPECT_EQ(op_.why().cause.code, errc::local_bad_value);
  }
}

TEST_F(PgLoGetExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_idle);
  expect_misplaced(abc);
  expect_misplaced(all({bound, bound}));
  expect_misplaced(all({bound, abc, tests::ready_idle}));
  expect_misplaced(all({bound, select_3, abc}));
  expect_misplaced(all({tests::syntax_error, abc}));
}

TEST_F(PgLoGetExchange, RowsOfAnotherShapeBreakTheStream) {
  begin(sink_);
  EXPECT_EQ(answer(op_, all({bound, " 44 0000000e 0002 ffffffff ffffffff "})), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_bad_value);
}

}  // namespace
}  // namespace codecs::pg
