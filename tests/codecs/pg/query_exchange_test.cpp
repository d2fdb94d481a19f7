#include "codecs/pg/query_exchange.hpp"

#include "tests/codecs/pg/script.hpp"
#include "tests/codecs/pg/sink.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::converse;

constexpr std::string_view select_1_request = "51 0000000d 53454c454354203100";

class PgQueryExchange : public testing::Test {
 protected:
  void begin() {
    op_.set("SELECT 1", &sink_);
    ASSERT_EQ(tests::start(op_, select_1_request), progress::more);
  }
  // The script fails for a message that has no place where it stands.
  void expect_misplaced(std::string_view replies) {
    begin();
    tests::expect_misplaced(op_, replies);
  }

  session session_;
  query_exchange op_{session_};
  tests::sink sink_;
};

TEST_F(PgQueryExchange, OneRow) {
  op_.set("SELECT 1", &sink_);
  const auto replies = all({tests::one_int4_column, tests::one_row, tests::select_1, tests::ready_open});
  EXPECT_EQ(converse(op_, select_1_request, replies), progress::done);
  EXPECT_EQ(sink_.seen, "[?column?](1)SELECT 1;");
  EXPECT_EQ(session_.status, transaction_status::open);
  EXPECT_EQ(op_.take_frames_sent(), 1u);
}

TEST_F(PgQueryExchange, IsReusable) {
  const auto replies = all({tests::one_int4_column, tests::one_row, tests::select_1, tests::ready_idle});
  for (int i = 0; i < 3; ++i) {
    op_.set("SELECT 1");
    EXPECT_EQ(converse(op_, select_1_request, replies), progress::done);
  }
}

// Case S07.
TEST_F(PgQueryExchange, AnEmptyQueryHasNoRows) {
  op_.set("", &sink_);
  EXPECT_EQ(converse(op_, "51 00000005 00", all({"49 00000004", tests::ready_idle})), progress::done);
  op_.set(";", &sink_);
  EXPECT_EQ(converse(op_, "51 00000006 3b00", all({"49 00000004", tests::ready_idle})), progress::done);
  EXPECT_EQ(sink_.seen, ";;");
}

TEST_F(PgQueryExchange, SeveralResults) {
  begin();
  EXPECT_EQ(answer(op_, all({tests::one_int4_column, tests::one_row, tests::one_row, tests::select_1,
                             "43 0000000a 424547494e00", tests::one_int4_column, tests::select_1,
                             tests::ready_open})),
            progress::done);
  EXPECT_EQ(sink_.seen, "[?column?](1)(1)SELECT 1;BEGIN;[?column?]SELECT 1;");
}

TEST_F(PgQueryExchange, NoticesParametersAndNotificationsMayComeAnywhere) {
  begin();
  EXPECT_EQ(answer(op_, all({tests::any_time, tests::one_int4_column, tests::any_time, tests::one_row,
                             tests::any_time, tests::select_1, tests::any_time, tests::ready_idle})),
            progress::done);
  EXPECT_EQ(sink_.seen, "[?column?](1)SELECT 1;");
  EXPECT_EQ(session_.parameter("TimeZone"), "UTC");
}

TEST_F(PgQueryExchange, AnErrorEndsAtItsZ) {
  begin();
  EXPECT_EQ(answer(op_, all({tests::one_int4_column, tests::one_row, tests::syntax_error, tests::any_time})),
            progress::more);
  EXPECT_EQ(answer(op_, tests::ready_failed), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_server_error);
  EXPECT_FALSE(breaks_stream(op_.why().cause.code));
  EXPECT_EQ(op_.why().text, "ERROR: no (42601)");
  EXPECT_EQ(session_.status, transaction_status::failed);
  // The next op is not harmed.
  EXPECT_EQ(converse(op_, select_1_request, all({tests::select_1, tests::ready_idle})), progress::done);
}

TEST_F(PgQueryExchange, AFatalErrorEndsTheConnection) {
  begin();
  EXPECT_EQ(answer(op_, tests::shutdown_error), progress::failed);
  EXPECT_TRUE(breaks_stream(op_.why().cause.code));
  EXPECT_EQ(op_.why().text, "FATAL: bye (57P01)");
}

// A Z that nothing has been answered before is one too many.
TEST_F(PgQueryExchange, ASurplusZIsNotAbsorbed) {
  expect_misplaced(tests::ready_idle);
}

TEST_F(PgQueryExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::one_row);                                                  // no T before
  expect_misplaced(all({tests::one_int4_column, tests::select_1, tests::one_row}));  // a row after its result
  expect_misplaced(
      all({tests::one_int4_column, tests::syntax_error, tests::one_row}));  // a row after the error
  expect_misplaced("31 00000004");                                          // ParseComplete
  expect_misplaced("56 00000008 ffffffff");                                 // FunctionCallResponse
  expect_misplaced("78 00000004");                                          // no such type
}

TEST_F(PgQueryExchange, RowsAreHeldToTheirDescription) {
  begin();
  EXPECT_EQ(answer(op_, all({tests::one_int4_column, "44 0000000e 0002 ffffffff ffffffff"})),
            progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_bad_value);
  EXPECT_STREQ(op_.why().cause.field, "column count");
}

TEST_F(PgQueryExchange, CopyComesLater) {
  begin();
  EXPECT_EQ(answer(op_, "47 00000007 00 0000"), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_unsupported);
}

TEST_F(PgQueryExchange, ANulInTheTextIsRefusedBeforeItIsSent) {
  using namespace std::string_view_literals;
  op_.set("SELECT\0 1"sv);
  wire::gather_buffer out;
  EXPECT_EQ(op_.start(out), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_bad_value);
  EXPECT_EQ(op_.take_frames_sent(), 0u);
}

}  // namespace
}  // namespace codecs::pg
