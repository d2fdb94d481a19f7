#include "codecs/pg/execute_exchange.hpp"

#include "tests/codecs/pg/script.hpp"
#include "tests/codecs/pg/sink.hpp"

#include <array>
#include <vector>

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::bound;
using tests::suspended;

// Bind (portal "", statement s, binary for all, one int4 5, binary results), Execute (all rows), Sync
constexpr std::string_view execute_request =
    " 42 00000019 00 7300 0001 0001 0001 00000004 00000005 0001 0001"
    " 45 00000009 00 00000000"
    " 53 00000004 ";
constexpr std::string_view binary_row = " 44 0000000e 0001 00000004 61626364 ";  // abcd

class PgExecuteExchange : public testing::Test {
 protected:
  PgExecuteExchange() {
    statement_.name = "s";
    statement_.parameter_types = {23};
    statement_.columns = {{"int4", 23}};
  }
  void begin() {
    op_.set(statement_, parameters_, &sink_);
    ASSERT_EQ(tests::start(op_, execute_request), progress::more);
  }
  void expect_misplaced(std::string_view replies) {
    begin();
    tests::expect_misplaced(op_, replies);
  }

  const std::vector<std::uint8_t> five_ = tests::hex("00000005");
  const std::array<value, 1> parameters_ = {bytes_view(five_)};
  session session_;
  statement statement_;
  execute_exchange op_{session_};
  tests::sink sink_;
};

TEST_F(PgExecuteExchange, OneRowWithoutDescribe) {
  for (int i = 0; i < 2; ++i) {
    begin();
    EXPECT_EQ(answer(op_, all({bound, tests::any_time, binary_row, tests::select_1, tests::ready_idle})),
              progress::done);
  }
  EXPECT_EQ(sink_.seen, "(abcd)SELECT 1;(abcd)SELECT 1;");
  EXPECT_EQ(op_.take_frames_sent(), 6u);
  EXPECT_FALSE(op_.suspended());
}

TEST_F(PgExecuteExchange, RowsOfAStatementThatReturnsNoneAreRefused) {
  statement_.columns.clear();
  begin();
  EXPECT_EQ(answer(op_, all({bound, binary_row})), progress::failed);
  begin();
  EXPECT_EQ(answer(op_, all({bound, "43 0000000f 494e53455254203020 3100", tests::ready_idle})),
            progress::done);
  EXPECT_EQ(sink_.seen, "INSERT 0 1;");
}

TEST_F(PgExecuteExchange, RowsAreHeldToTheStatement) {
  begin();
  EXPECT_EQ(answer(op_, all({bound, "44 0000000e 0002 ffffffff ffffffff"})), progress::failed);
  EXPECT_STREQ(op_.why().cause.field, "column count");
}

// Case S07, the extended form.
TEST_F(PgExecuteExchange, AnEmptyStatement) {
  begin();
  EXPECT_EQ(answer(op_, all({bound, "49 00000004", tests::ready_idle})), progress::done);
  EXPECT_EQ(sink_.seen, ";");
}

TEST_F(PgExecuteExchange, StopsAtMaxRows) {
  op_.set(statement_, parameters_, &sink_, 2);
  ASSERT_EQ(tests::start(op_,
                         "42 00000019 00 7300 0001 0001 0001 00000004 00000005 0001 0001"
                         "45 00000009 00 00000002"
                         "53 00000004"),
            progress::more);
  EXPECT_EQ(answer(op_, all({bound, binary_row, binary_row, suspended, tests::ready_idle})), progress::done);
  EXPECT_TRUE(op_.suspended());
  begin();
  EXPECT_FALSE(op_.suspended());
  EXPECT_EQ(answer(op_, all({bound, suspended})), progress::failed);  // all rows were asked for
}

TEST_F(PgExecuteExchange, AfterAnErrorOnlyZMayCome) {
  for (const auto before : {std::string_view(), bound}) {
    begin();
    EXPECT_EQ(answer(op_, all({before, tests::syntax_error, tests::any_time, tests::ready_failed})),
              progress::failed);
    EXPECT_EQ(op_.why().cause.code, errc::remote_server_error);
    expect_misplaced(all({before, tests::syntax_error, bound}));
  }
}

TEST_F(PgExecuteExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_idle);
  expect_misplaced(binary_row);
  expect_misplaced(tests::select_1);
  expect_misplaced(all({bound, bound}));
  expect_misplaced(all({bound, tests::ready_idle}));
  expect_misplaced(all({bound, tests::select_1, binary_row}));
  expect_misplaced(all({bound, tests::one_int4_column}));  // Execute is never answered by T
  EXPECT_EQ(sink_.seen, "SELECT 1;");                      // no row was handed on
}

// Case C22.
TEST_F(PgExecuteExchange, TooManyParametersAreRefusedBeforeAnyByte) {
  const std::vector<value> parameters(65'536);
  op_.set(statement_, parameters);
  wire::gather_buffer out;
  EXPECT_EQ(op_.start(out), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_too_many_parameters);
  EXPECT_EQ(out.size(), 0u);
  EXPECT_EQ(op_.take_frames_sent(), 0u);
}

}  // namespace
}  // namespace codecs::pg
