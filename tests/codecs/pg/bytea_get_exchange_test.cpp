#include "codecs/pg/bytea_get_exchange.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/script.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::bound;
using tests::select_1;

// Bind of the unnamed portal to r, binary both ways, key 7 (8 bytes); Execute of all rows; Sync.
constexpr std::string_view get = R"(
  42 0000001d 00 7200 0001 0001 0001 00000008 0000000000000007 0001 0001
  45 00000009 00 00000000
  53 00000004
)";
constexpr std::string_view abcde = " 44 0000000f 0001 00000005 6162636465 ";
constexpr std::string_view no_bytes = " 44 0000000a 0001 00000000 ";
constexpr std::string_view null = " 44 0000000a 0001 ffffffff ";
constexpr std::string_view select_0 = " 43 0000000d 53454c454354203000 ";

class PgByteaGetExchange : public testing::Test {
 protected:
  void begin(chunk_sink& sink) {
    op_.set(7, sink);
    ASSERT_EQ(tests::start(op_, get), progress::more);
  }
  void expect_failure(std::initializer_list<std::string_view> messages, errc code, std::string_view text,
                      std::string_view kept) {
    tests::text_sink sink;
    begin(sink);
    EXPECT_EQ(answer(op_, all({bound, all(messages), tests::ready_idle})), progress::failed);
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
  bytea_get_exchange op_{session_};
};

TEST_F(PgByteaGetExchange, IsOneRoundTrip) {
  for (int i = 1; i <= 2; ++i) {
    begin(sink_);
    EXPECT_EQ(answer(op_, all({bound, tests::any_time, abcde, tests::any_time, select_1, tests::ready_idle})),
              progress::done);
    EXPECT_EQ(sink_.text.size(), 5u * static_cast<unsigned>(i));
  }
  EXPECT_EQ(sink_.text, "abcdeabcde");
  EXPECT_EQ(op_.take_frames_sent(), 6u);
}

TEST_F(PgByteaGetExchange, AnEmptyValueIsAnEmptyFile) {
  begin(sink_);
  EXPECT_EQ(answer(op_, all({bound, no_bytes, select_1, tests::ready_open})), progress::done);
  EXPECT_EQ(sink_.text, "");
}

TEST_F(PgByteaGetExchange, AnythingButOneValueIsNamed) {
  expect_failure({select_0}, errc::remote_bad_file, "row 7: is not there", "");
  expect_failure({abcde, abcde, select_1}, errc::remote_bad_file, "row 7: is there twice", "abcde");
  expect_failure({null, select_1}, errc::remote_bad_file, "row 7: is NULL", "");
}

TEST_F(PgByteaGetExchange, TheServersErrorIsToldAndTheSessionInStep) {
  expect_failure({tests::syntax_error}, errc::remote_server_error, "row 7: ERROR: no (42601)", "");
  expect_failure({abcde, tests::syntax_error}, errc::remote_server_error, "row 7: ERROR: no (42601)",
                 "abcde");
}

TEST_F(PgByteaGetExchange, ASinkThatIsFullIsTold) {
  tests::text_sink full;
  full.room = 0;
  begin(full);
  EXPECT_EQ(answer(op_, all({bound, abcde, select_1, tests::ready_idle})), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_payload);
  EXPECT_EQ(op_.why().text, "row 7: no space left on device");
}

TEST_F(PgByteaGetExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_idle);
  expect_misplaced(abcde);
  expect_misplaced(all({bound, bound}));
  expect_misplaced(all({bound, abcde, tests::ready_idle}));
  expect_misplaced(all({bound, abcde, select_1, abcde}));
  expect_misplaced(all({tests::syntax_error, abcde}));
}

TEST_F(PgByteaGetExchange, RowsOfAnotherShapeBreakTheStream) {
  for (const std::string_view row :
       {" 44 0000000e 0002 ffffffff ffffffff ", " 44 00000006 0000 ", " 44 0000000b 0001 00000005 61 "}) {
    begin(sink_);
    EXPECT_EQ(answer(op_, all({bound, row})), progress::failed) << row;
    EXPECT_TRUE(breaks_stream(op_.why().cause.code));
  }
  EXPECT_EQ(sink_.text, "");
}

}  // namespace
}  // namespace codecs::pg
