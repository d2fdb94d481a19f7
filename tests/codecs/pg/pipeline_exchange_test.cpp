#include "codecs/pg/pipeline_exchange.hpp"

#include "codecs/pg/terminate_exchange.hpp"

#include "tests/codecs/pg/script.hpp"
#include "tests/codecs/pg/sink.hpp"

#include <array>
#include <vector>

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::bound;
using tests::parsed;

// P/B/E of case C20 with one format code each, as ours are: binary both ways.
constexpr std::string_view three_steps =
    " 50 00000010 00 53454c454354203100 0000"  // SELECT 1
    " 42 00000010 00 00 0001 0001 0000 0001 0001"
    " 45 00000009 00 00000000"
    " 50 0000000d 00 53454c454300 0000"  // SELEC
    " 42 00000010 00 00 0001 0001 0000 0001 0001"
    " 45 00000009 00 00000000"
    " 50 00000010 00 53454c454354203200 0000"  // SELECT 2
    " 42 00000010 00 00 0001 0001 0000 0001 0001"
    " 45 00000009 00 00000000"
    " 53 00000004 ";

class PgPipelineExchange : public testing::Test {
 protected:
  PgPipelineExchange() {
    steps_[0].query = "SELECT 1";
    steps_[1].query = "SELEC";
    steps_[2].query = "SELECT 2";
    for (auto& each : steps_) each.sink = &sink_;
  }
  void begin() {
    op_.set(steps_);
    ASSERT_EQ(tests::start(op_, three_steps), progress::more);
  }
  std::vector<step_outcome> outcomes() const { return {op_.outcomes().begin(), op_.outcomes().end()}; }
  void expect_misplaced(std::string_view replies) {
    begin();
    tests::expect_misplaced(op_, replies);
  }

  using list = std::vector<step_outcome>;
  static constexpr auto done = step_outcome::done;
  static constexpr auto failed = step_outcome::failed;
  static constexpr auto aborted = step_outcome::aborted;

  std::array<pipeline_step, 3> steps_;
  session session_;
  pipeline_exchange op_{session_};
  tests::sink sink_;
};

TEST_F(PgPipelineExchange, AllDone) {
  begin();
  const auto step = all({parsed, bound, tests::one_row, tests::select_1});
  EXPECT_EQ(answer(op_, all({step, tests::any_time, step, step, tests::ready_idle})), progress::done);
  EXPECT_EQ(outcomes(), (list{done, done, done}));
  EXPECT_EQ(sink_.seen, "(1)SELECT 1;(1)SELECT 1;(1)SELECT 1;");
  EXPECT_EQ(op_.take_frames_sent(), 10u);
}

// Case C20: 1 2 D C, E, Z(I) and nothing else.
TEST_F(PgPipelineExchange, WhatStandsBehindAnErrorIsAborted) {
  for (int i = 0; i < 2; ++i) {
    begin();
    EXPECT_EQ(answer(op_, all({parsed, bound, tests::one_row, tests::select_1, tests::syntax_error,
                               tests::ready_idle})),
              progress::failed);
    EXPECT_EQ(outcomes(), (list{done, failed, aborted}));
    EXPECT_EQ(op_.why().cause.code, errc::remote_server_error);
  }
}

// A deferred constraint: confirmed on PostgreSQL 15, where E comes between the last C and Z.
TEST_F(PgPipelineExchange, AnErrorOfTheSyncMarksNoStep) {
  begin();
  const auto step = all({parsed, bound, tests::select_1});
  EXPECT_EQ(answer(op_, all({step, step, step, tests::syntax_error, tests::ready_idle})), progress::failed);
  EXPECT_EQ(outcomes(), (list{done, done, done}));
}

TEST_F(PgPipelineExchange, PreparedStatementsAreNotParsedAgain) {
  const auto data = tests::hex("00000007");
  const value parameters[] = {data};
  pipeline_step step;
  step.statement = "s";
  step.parameters = parameters;
  op_.set({&step, 1});
  ASSERT_EQ(tests::start(op_,
                         "42 00000019 00 7300 0001 0001 0001 00000004 00000007 0001 0001"
                         "45 00000009 00 00000000"
                         "53 00000004"),
            progress::more);
  EXPECT_EQ(answer(op_, all({bound, "49 00000004", tests::ready_idle})), progress::done);
}

TEST_F(PgPipelineExchange, WithoutStepsThereIsASyncAlone) {
  op_.set({});
  ASSERT_EQ(tests::start(op_, "53 00000004"), progress::more);
  EXPECT_EQ(answer(op_, tests::ready_idle), progress::done);
}

TEST_F(PgPipelineExchange, MessagesOutOfPlaceAreRefused) {
  expect_misplaced(tests::ready_idle);
  expect_misplaced(bound);
  expect_misplaced(tests::one_row);
  expect_misplaced(all({parsed, tests::select_1}));
  expect_misplaced(all({parsed, bound, tests::ready_idle}));
  expect_misplaced(all({tests::syntax_error, parsed}));
  expect_misplaced(all({parsed, bound, "73 00000004"}));  // all rows were asked for
}

TEST_F(PgPipelineExchange, TooManyParametersAreRefusedBeforeAnyByte) {
  const std::vector<value> parameters(65'536);
  steps_[2].parameters = parameters;
  op_.set(steps_);
  EXPECT_EQ(tests::start(op_, ""), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_too_many_parameters);
}

TEST(PgTerminateExchange, IsNotAnswered) {
  session session;
  terminate_exchange op(session);
  EXPECT_EQ(tests::start(op, "58 00000004"), progress::done);
  EXPECT_EQ(op.take_frames_sent(), 1u);
}

}  // namespace
}  // namespace codecs::pg
