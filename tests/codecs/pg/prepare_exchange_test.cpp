#include "codecs/pg/prepare_exchange.hpp"

#include "tests/codecs/pg/script.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::no_data;
using tests::parsed;

// Parse (statement s, SELECT, no types), Describe (statement s), Sync
constexpr std::string_view prepare_request =
    " 50 0000000f 7300 53454c45435400 0000"
    " 44 00000007 53 7300"
    " 53 00000004 ";
constexpr std::string_view one_parameter = " 74 0000000a 0001 00000017 ";  // int4

class PgPrepareExchange : public testing::Test {
 protected:
  void begin() {
    statement_.name = "s";
    op_.set("SELECT", statement_);
    ASSERT_EQ(tests::start(op_, prepare_request), progress::more);
  }
  void expect_misplaced(std::string_view replies) {
    begin();
    tests::expect_misplaced(op_, replies);
  }

  session session_;
  statement statement_;
  prepare_exchange op_{session_};
};

TEST_F(PgPrepareExchange, LearnsParametersAndColumns) {
  begin();
  EXPECT_EQ(
      answer(op_, all({parsed, one_parameter, tests::any_time, tests::one_int4_column, tests::ready_idle})),
      progress::done);
  EXPECT_EQ(statement_.parameter_types, std::vector<oid>{23});
  ASSERT_EQ(statement_.columns.size(), 1u);
  EXPECT_EQ(statement_.columns[0].name, "?column?");
  EXPECT_EQ(statement_.columns[0].type, 23u);
  EXPECT_EQ(op_.take_frames_sent(), 3u);
}

TEST_F(PgPrepareExchange, AStatementMayReturnNoRows) {
  statement_.columns = {{"old", 1}};
  begin();
  EXPECT_EQ(answer(op_, all({parsed, "74 00000006 0000", no_data, tests::ready_idle})), progress::done);
  EXPECT_TRUE(statement_.columns.empty());
  EXPECT_TRUE(statement_.parameter_types.empty());
}

TEST_F(PgPrepareExchange, TypesMayBeGiven) {
  const oid types[] = {17};
  statement_.name = "s";
  op_.set("SELECT", statement_, types);
  EXPECT_EQ(tests::start(op_,
                         "50 00000013 7300 53454c45435400 0001 00000011"
                         "44 00000007 53 7300"
                         "53 00000004"),
            progress::more);
}

TEST_F(PgPrepareExchange, AnErrorEndsAtItsZ) {
  for (const auto before : {std::string_view(), parsed}) {
    begin();
    EXPECT_EQ(answer(op_, all({before, tests::syntax_error, tests::ready_idle})), progress::failed);
    EXPECT_EQ(op_.why().text, "ERROR: no (42601)");
  }
}

TEST_F(PgPrepareExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_idle);
  expect_misplaced(one_parameter);
  expect_misplaced(no_data);
  expect_misplaced(all({parsed, parsed}));
  expect_misplaced(all({parsed, one_parameter, one_parameter}));
  expect_misplaced(all({parsed, one_parameter, no_data, no_data}));
  expect_misplaced(all({parsed, one_parameter, tests::ready_idle}));
  expect_misplaced(all({parsed, tests::syntax_error, one_parameter}));
}

}  // namespace
}  // namespace codecs::pg
