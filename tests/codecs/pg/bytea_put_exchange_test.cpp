#include "codecs/pg/bytea_put_exchange.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/script.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::bound;
using tests::insert_1;

// Bind of the unnamed portal to p, binary both ways, key 7 (8 bytes) and the file; Execute of all rows; Sync.
constexpr std::string_view put_abcde = R"(
  42 00000026 00 7000 0001 0001 0002 00000008 0000000000000007 00000005 6162636465 0001 0001
  45 00000009 00 00000000
  53 00000004
)";
constexpr std::string_view put_nothing = R"(
  42 00000021 00 7000 0001 0001 0002 00000008 fffffffffffffffe 00000000 0001 0001
  45 00000009 00 00000000
  53 00000004
)";

class PgByteaPutExchange : public testing::Test {
 protected:
  void begin() {
    op_.set(7, source_);
    ASSERT_EQ(tests::start(op_, put_abcde), progress::more);
  }
  void expect_misplaced(std::string_view replies) {
    tests::text_source source(content_);
    op_.set(7, source);
    ASSERT_EQ(tests::start(op_, put_abcde), progress::more);
    tests::expect_misplaced(op_, replies);
  }

  const bytes_view content_ = as_bytes("abcde");
  tests::text_source source_{content_};
  session session_;
  bytea_put_exchange op_{session_};
};

TEST_F(PgByteaPutExchange, IsOneMessageAndOneRoundTrip) {
  begin();
  EXPECT_EQ(op_.take_frames_sent(), 3u);
  EXPECT_EQ(source_.taken, 1);
  EXPECT_EQ(answer(op_, all({bound, tests::any_time, insert_1})), progress::more);
  EXPECT_EQ(source_.released, 1);
  EXPECT_EQ(answer(op_, tests::ready_idle), progress::done);
}

TEST_F(PgByteaPutExchange, AnEmptyFileIsAnEmptyValue) {
  tests::text_source empty{bytes_view()};
  op_.set(-2, empty);
  ASSERT_EQ(tests::start(op_, put_nothing), progress::more);
  EXPECT_EQ(answer(op_, all({bound, insert_1, tests::ready_open})), progress::done);
  EXPECT_EQ(empty.taken + empty.released, 0);
}

// [head][file][tail]
TEST_F(PgByteaPutExchange, BorrowsTheFile) {
  const tests::bytes content(100'000, 'x');
  tests::text_source source(content);
  op_.set(7, source);
  wire::gather_buffer out;
  ASSERT_EQ(op_.start(out), progress::more);
  const auto segments = out.segments();
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(segments[1].data(), content.data());
  EXPECT_EQ(segments[1].size(), content.size());
  EXPECT_EQ(segments[0].size() + segments[2].size(), 34 + 10 + 5u);
  EXPECT_EQ(out.copied_bytes(), 0u);
}

// PostgreSQL drops a connection whose message is longer, without a word.
TEST_F(PgByteaPutExchange, AFileThatNoMessageHoldsIsRefusedBeforeItIsTaken) {
  const tests::bytes block(1, 'x');
  for (const std::int64_t size : {std::int64_t{0x3ffffffe} - 63, std::int64_t{5} << 30}) {
    tests::sparse_source source(size, block);
    op_.set(7, source);
    EXPECT_EQ(tests::start(op_, ""), progress::failed);
    EXPECT_EQ(op_.why().cause.code, errc::local_message_too_long);
    EXPECT_NE(op_.why().text.find("a row holds up to 1073741758"), std::string::npos) << op_.why().text;
  }
}

TEST_F(PgByteaPutExchange, ASourceThatFailsSendsNothing) {
  source_.good = 0;
  op_.set(7, source_);
  EXPECT_EQ(tests::start(op_, ""), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_payload);
  EXPECT_EQ(op_.why().text, "the file has shrunk");
  EXPECT_FALSE(op_.why().out_of_step);
}

TEST_F(PgByteaPutExchange, ASourceThatChangedIsToldAtTheEnd) {
  source_.changed = true;
  begin();
  EXPECT_EQ(answer(op_, all({bound, insert_1, tests::ready_idle})), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_payload);
}

// A key that is there already, as Execute finds it; a statement that is not, as Bind does; and one at the commit.
TEST_F(PgByteaPutExchange, TheServersErrorIsToldAndTheSessionInStep) {
  for (const auto& before : {std::string(bound), std::string(), all({bound, insert_1})}) {
    tests::text_source source(content_);
    op_.set(7, source);
    ASSERT_EQ(tests::start(op_, put_abcde), progress::more);
    EXPECT_EQ(answer(op_, all({before, tests::syntax_error, tests::any_time, tests::ready_idle})),
              progress::failed);
    EXPECT_EQ(op_.why().cause.code, errc::remote_server_error);
    EXPECT_EQ(op_.why().text, "ERROR: no (42601)");
  }
}

TEST_F(PgByteaPutExchange, AnotherCountBreaksTheStream) {
  begin();  // INSERT 0 0
  EXPECT_EQ(answer(op_, all({bound, " 43 0000000f 494e534552542030203000 "})), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_bad_value);
  EXPECT_EQ(source_.released, 0);
}

TEST_F(PgByteaPutExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_idle);
  expect_misplaced(insert_1);
  expect_misplaced(all({bound, bound}));
  expect_misplaced(all({bound, tests::one_row}));
  expect_misplaced(all({bound, tests::ready_idle}));
  expect_misplaced(all({bound, insert_1, insert_1}));
  expect_misplaced(all({tests::syntax_error, bound}));
}

}  // namespace
}  // namespace codecs::pg
