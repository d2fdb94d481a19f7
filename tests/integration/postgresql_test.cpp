// The raw client against a PostgreSQL that nobody here wrote: queries, statements and errors.

#include "tests/integration/postgresql.hpp"

#include "codecs/pg/pipeline_exchange.hpp"
#include "codecs/pg/prepare_exchange.hpp"
#include "codecs/window.hpp"

#include "wire/async_channel.hpp"

#include "fixtures/datasets.hpp"

#include "tests/codecs/pg/sink.hpp"
#include "tests/integration/relay.hpp"

#include <fmt/format.h>

#include <deque>

namespace tests {
namespace {

using codecs::bytes_view;
using codecs::errc;
using codecs::pg::statement;
using codecs::pg::transaction_status;
using codecs::pg::value;

constexpr codecs::pg::oid bytea_oid = 17;
constexpr codecs::pg::oid int4_oid = 23;

TEST_F(PostgreSql, AnswersSelect1) {
  const auto before = client_.channel().counters();
  sink seen;
  ASSERT_FALSE(client_.query("SELECT 1", &seen)) << client_.why();
  EXPECT_EQ(seen.seen, "[?column?](1)SELECT 1;");
  const auto& after = client_.channel().counters();
  EXPECT_EQ(after.bytes_out - before.bytes_out, 14u);  // Q, length 4, "SELECT 1" and its NUL
  EXPECT_EQ(after.bytes_in - before.bytes_in, 66u);    // T 34, D 12, C 14, Z 6
  EXPECT_EQ(after.frames_in - before.frames_in, 4u);
  EXPECT_EQ(after.syscalls() - before.syscalls(), 2u);
}

TEST_F(PostgreSql, AnswersEveryStatementOfOneQuery) {
  sink seen;
  ASSERT_FALSE(
      client_.query("SELECT 1 AS a; CREATE TEMP TABLE t (n int); SELECT n FROM t; SELECT 2 AS b", &seen));
  EXPECT_EQ(seen.seen, "[a](1)SELECT 1;CREATE TABLE;[n]SELECT 0;[b](2)SELECT 1;");
}

TEST_F(PostgreSql, TellsNullFromEmpty) {
  sink seen;
  ASSERT_FALSE(client_.query("SELECT NULL::int AS a, ''::text AS b, 7 AS c", &seen));
  EXPECT_EQ(seen.seen, "[a,b,c](NULL,,7)SELECT 1;");
}

TEST_F(PostgreSql, TakesNullAsAParameter) {
  statement is_null{.name = "s"};
  ASSERT_FALSE(client_.prepare("SELECT $1::int4 IS NULL", is_null)) << client_.why();
  const value null;
  sink seen;
  ASSERT_FALSE(client_.execute(is_null, {&null, 1}, &seen)) << client_.why();
  EXPECT_EQ(seen.seen, std::string("(\1)SELECT 1;"));  // bool in binary
}

// Case S07.
TEST_F(PostgreSql, AnswersAnEmptyQuery) {
  sink seen;
  ASSERT_FALSE(client_.query("", &seen));
  ASSERT_FALSE(client_.query(";", &seen));
  EXPECT_EQ(seen.seen, ";;");  // a result without a tag each
  statement empty{.name = "s"};
  ASSERT_FALSE(client_.prepare("", empty));  // Describe is answered by NoData
  EXPECT_TRUE(empty.columns.empty());
  ASSERT_FALSE(client_.execute(empty, {}, &seen));
  EXPECT_EQ(seen.seen, ";;;");
}

// Case S07 as literal bytes.
TEST_F(PostgreSql, AnswersAnEmptyStatementOfTheExtendedProtocol) {
  bare_session bare(uri());
  literal_exchange op(bare.session, R"(
    50 00000008 00 00 0000            # Parse: unnamed, "", no types
    42 0000000c 00 00 0000 0000 0000  # Bind: unnamed, no formats, no parameters, no result formats
    45 00000009 00 00000000           # Execute: unnamed, all rows
    53 00000004                       # Sync
  )");
  ASSERT_FALSE(bare.channel.run(op)) << bare.channel.why();
  EXPECT_EQ(op.types, "12IZ");
}

TEST_F(PostgreSql, GoesOnAfterAnError) {
  sink seen;
  EXPECT_EQ(client_.query("SELECT 1 AS a; SELECT 1/0; SELECT 2", &seen), errc::remote_server_error);
  EXPECT_EQ(seen.seen, "[a](1)SELECT 1;");
  EXPECT_EQ(client_.why(), "the server answered with an error: ERROR: division by zero (22012)");
  ASSERT_FALSE(client_.query("SELECT 3 AS c", &seen)) << client_.why();
  EXPECT_EQ(seen.seen, "[a](1)SELECT 1;[c](3)SELECT 1;");
}

TEST_F(PostgreSql, GoesOnAfterAnErrorInAStatement) {
  statement broken{.name = "s"};
  EXPECT_EQ(client_.prepare("SELECT FROM WHERE", broken), errc::remote_server_error);
  EXPECT_NE(client_.why().find("42601"), std::string::npos) << client_.why();
  statement quotient{.name = "s"};  // the name is still free
  ASSERT_FALSE(client_.prepare("SELECT 1 / $1::int4", quotient)) << client_.why();
  const auto zero = hex("00000000");
  const auto one = hex("00000001");
  value parameter = bytes_view(zero);
  EXPECT_EQ(client_.execute(quotient, {&parameter, 1}), errc::remote_server_error);
  parameter = bytes_view(one);
  EXPECT_FALSE(client_.execute(quotient, {&parameter, 1})) << client_.why();
}

TEST_F(PostgreSql, FollowsTransactionsByTheServersWord) {
  const auto status = [this] { return client_.session().status; };
  EXPECT_EQ(status(), transaction_status::idle);
  ASSERT_FALSE(client_.query("BEGIN"));
  EXPECT_EQ(status(), transaction_status::open);
  EXPECT_TRUE(client_.query("SELECT 1/0"));
  EXPECT_EQ(status(), transaction_status::failed);
  EXPECT_TRUE(client_.query("SELECT 1"));
  EXPECT_NE(client_.why().find("25P02"), std::string::npos) << client_.why();
  ASSERT_FALSE(client_.query("COMMIT"));
  EXPECT_EQ(status(), transaction_status::idle);
}

TEST_F(PostgreSql, ExecutesSelectParamInBinary) {
  statement echo{.name = "p"};
  ASSERT_FALSE(client_.prepare("SELECT $1::int4", echo)) << client_.why();
  EXPECT_EQ(echo.parameter_types, std::vector<codecs::pg::oid>{int4_oid});
  ASSERT_EQ(echo.columns.size(), 1u);
  EXPECT_EQ(echo.columns[0].type, int4_oid);
  const auto number = hex("0102036e");
  const value parameter = bytes_view(number);
  sink seen;
  const auto before = client_.channel().counters();
  ASSERT_FALSE(client_.execute(echo, {&parameter, 1}, &seen)) << client_.why();
  EXPECT_EQ(seen.seen, "(\1\2\3n)SELECT 1;");
  EXPECT_EQ(client_.channel().counters().frames_out - before.frames_out, 3u);  // B E S: no Describe
  EXPECT_EQ(client_.channel().counters().frames_in - before.frames_in, 4u);    // 2 D C Z
}

TEST_F(PostgreSql, ReadsBackTheByteaThatWasInserted) {
  ASSERT_FALSE(client_.query("CREATE TEMP TABLE rows (data bytea)"));
  statement insert{.name = "i"};
  ASSERT_FALSE(client_.prepare("INSERT INTO rows VALUES ($1)", insert)) << client_.why();
  EXPECT_EQ(insert.parameter_types, std::vector<codecs::pg::oid>{bytea_oid});
  const auto blob = fixtures::make_blob(1, 400);
  const value parameter = bytes_view(blob);
  sink seen;
  ASSERT_FALSE(client_.execute(insert, {&parameter, 1}, &seen)) << client_.why();
  EXPECT_EQ(seen.seen, "INSERT 0 1;");
  statement select{.name = "s"};
  ASSERT_FALSE(client_.prepare("SELECT data FROM rows", select)) << client_.why();
  sink read;
  ASSERT_FALSE(client_.execute(select, {}, &read)) << client_.why();
  EXPECT_TRUE(read.seen == fmt::format("({})SELECT 1;", codecs::as_text(blob)));
}

// The manual leaves open what comes when the last row is the last that was asked for: it is PortalSuspended.
TEST_F(PostgreSql, SuspendsAPortalAtTheRowsAskedFor) {
  bare_session bare(uri());
  statement five{.name = "s"};
  codecs::pg::prepare_exchange prepare(bare.session);
  prepare.set("SELECT i::text FROM generate_series(1, 5) AS i", five);
  ASSERT_FALSE(bare.channel.run(prepare)) << bare.channel.why();
  codecs::pg::execute_exchange execute(bare.session);
  const auto run = [&](std::int32_t max_rows) {
    sink seen;
    execute.set(five, {}, &seen, max_rows);
    EXPECT_FALSE(bare.channel.run(execute)) << bare.channel.why();
    return seen.seen;
  };
  EXPECT_EQ(run(2), "(1)(2)");
  EXPECT_TRUE(execute.suspended());
  EXPECT_EQ(run(5), "(1)(2)(3)(4)(5)");
  EXPECT_TRUE(execute.suspended());
  EXPECT_EQ(run(6), "(1)(2)(3)(4)(5)SELECT 5;");
  EXPECT_FALSE(execute.suspended());
}

// Case C20 as literal bytes: the third statement produces no message.
TEST_F(PostgreSql, SkipsToTheSyncAfterAnError) {
  bare_session bare(uri());
  literal_exchange op(bare.session, R"(
    50 00000010 00 53454c4543542031 00 0000  # Parse: unnamed, "SELECT 1", no types
    42 0000000c 00 00 0000 0000 0000         # Bind
    45 00000009 00 00000000                  # Execute
    50 0000000d 00 53454c4543 00 0000        # Parse "SELEC"
    42 0000000c 00 00 0000 0000 0000         # Bind
    45 00000009 00 00000000                  # Execute
    50 00000010 00 53454c4543542032 00 0000  # Parse "SELECT 2"
    42 0000000c 00 00 0000 0000 0000         # Bind
    45 00000009 00 00000000                  # Execute
    53 00000004                              # Sync
  )");
  ASSERT_FALSE(bare.channel.run(op)) << bare.channel.why();
  EXPECT_EQ(op.types, "12DCEZ");
  EXPECT_EQ(op.status, 'I');
  literal_exchange next(bare.session, "51 0000000d 53454c4543542033 00");  // Query "SELECT 3"
  ASSERT_FALSE(bare.channel.run(next)) << bare.channel.why();
  EXPECT_EQ(next.types, "TDCZ");
}

// Case C20 as an op of ours.
TEST_F(PostgreSql, TellsTheFailedStepFromTheAbortedOne) {
  using codecs::pg::step_outcome;
  bare_session bare(uri());
  sink first, second, third;
  const codecs::pg::pipeline_step steps[] = {{.statement = "", .query = "SELECT '1'", .sink = &first},
                                             {.statement = "", .query = "SELEC", .sink = &second},
                                             {.statement = "", .query = "SELECT '2'", .sink = &third}};
  codecs::pg::pipeline_exchange pipeline(bare.session);
  pipeline.set(steps);
  EXPECT_EQ(bare.channel.run(pipeline), errc::remote_server_error);
  EXPECT_NE(bare.channel.why().find("42601"), std::string::npos) << bare.channel.why();
  const auto outcomes = pipeline.outcomes();
  EXPECT_EQ(std::vector(outcomes.begin(), outcomes.end()),
            (std::vector{step_outcome::done, step_outcome::failed, step_outcome::aborted}));
  EXPECT_EQ(first.seen + "|" + second.seen + "|" + third.seen, "(1)SELECT 1;||");

  const codecs::pg::pipeline_step good[] = {steps[0], steps[2]};
  pipeline.set(good);
  EXPECT_FALSE(bare.channel.run(pipeline)) << bare.channel.why();
  EXPECT_EQ(third.seen, "(2)SELECT 1;");
}

/// Divides 1 by 0, 1, 2, ... 9, four ops at a time, and writes down what becomes of each.
class quotients final : public codecs::window_source {
 public:
  quotients(codecs::pg::session& session, const statement& divide) : divide_(divide) {
    for (int i = 0; i < 4; ++i) slots_.emplace_back(session);
  }

  codecs::exchange* next() override {
    if (given_ == 10) return nullptr;
    auto& each = slots_[given_ % slots_.size()];
    codecs::store_be(each.divisor, static_cast<std::int32_t>(given_++));
    each.op.set(divide_, {&each.parameter, 1});
    return &each.op;
  }

  void completed(codecs::exchange&, codecs::progress how) override {
    outcomes += how == codecs::progress::done ? 'd' : 'f';
  }

  std::string outcomes;

 private:
  struct slot {
    explicit slot(codecs::pg::session& session) : op(session) {}
    codecs::pg::execute_exchange op;
    std::uint8_t divisor[4] = {};
    const value parameter = bytes_view(divisor);
  };

  const statement& divide_;
  std::deque<slot> slots_;
  std::size_t given_ = 0;
};

// Case C20 with one Sync per op, blocking and on a loop.
TEST_F(PostgreSql, ExecutesWhatStandsBehindAnErrorInAWindow) {
  statement divide{.name = "s"};
  ASSERT_FALSE(client_.prepare("SELECT 1 / $1::int4", divide)) << client_.why();
  for (const auto kind : {wire::loop::kind::blocking, wire::loop::kind::reactor}) {
    quotients source(client_.session(), divide);
    codecs::window window(4, source);
    wire::loop owner(kind);
    wire::async_channel connection(owner, client_.channel());
    const auto run = [&]() -> wire::task {
      const auto error = co_await connection.async_run(window);
      EXPECT_FALSE(error) << client_.why();
    };
    owner.spawn(run());
    owner.run();
    EXPECT_EQ(source.outcomes, "fddddddddd");
  }
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

std::string insert_of(std::size_t parameters) {
  std::string text = "INSERT INTO t VALUES ($1)";
  for (std::size_t i = 2; i <= parameters; ++i) text += fmt::format(",(${})", i);
  return text;
}

class ParameterCount : public PostgreSql, public testing::WithParamInterface<std::size_t> {};

// Case C22. libpq cannot describe a statement of more than 7,498 parameters; the server can, and we read it.
TEST_P(ParameterCount, IsNotTakenForANegativeOne) {
  ASSERT_FALSE(client_.query("CREATE TEMP TABLE t (n int4)"));
  statement insert{.name = "s"};
  ASSERT_FALSE(client_.prepare(insert_of(GetParam()), insert)) << client_.why();
  EXPECT_EQ(insert.parameter_types, std::vector<codecs::pg::oid>(GetParam(), int4_oid));
  const auto seven = hex("00000007");
  const std::vector<value> values(GetParam(), bytes_view(seven));
  sink seen;
  ASSERT_FALSE(client_.execute(insert, values, &seen)) << client_.why();
  ASSERT_FALSE(client_.query("SELECT count(*), sum(n) FROM t", &seen));
  EXPECT_EQ(seen.seen, fmt::format("INSERT 0 {0};[count,sum]({0},{1})SELECT 1;", GetParam(), 7 * GetParam()));
}

INSTANTIATE_TEST_SUITE_P(PostgreSql, ParameterCount, testing::Values(32'767, 32'768, 65'535));

// Case C22.
TEST_F(PostgreSql, RefusesOneParameterTooManyBeforeAnyByte) {
  statement echo{.name = "s"};
  ASSERT_FALSE(client_.prepare("SELECT $1::int4", echo)) << client_.why();
  const std::vector<value> values(65'536);
  const auto before = client_.channel().counters();
  EXPECT_EQ(client_.execute(echo, values), errc::local_too_many_parameters);
  EXPECT_EQ(client_.channel().counters().bytes_out, before.bytes_out);
  EXPECT_FALSE(client_.query("SELECT 1")) << client_.why();
}

TEST_F(PostgreSql, AcceptsNoticesBetweenRows) {
  ASSERT_FALSE(
      client_.query("CREATE FUNCTION pg_temp.speak(n int) RETURNS int LANGUAGE plpgsql AS "
                    "$$BEGIN RAISE NOTICE 'row %', n; RETURN n; END$$"))
      << client_.why();
  const auto before = client_.channel().counters();
  sink seen;
  ASSERT_FALSE(client_.query("SELECT pg_temp.speak(i) FROM generate_series(1, 3) AS i", &seen))
      << client_.why();
  EXPECT_EQ(seen.seen, "[speak](1)(2)(3)SELECT 3;");
  EXPECT_EQ(client_.channel().counters().frames_in - before.frames_in, 9u);  // T, three times N and D, C, Z
}

TEST_F(PostgreSql, KeepsAParameterThatIsReportedInMidSession) {
  EXPECT_EQ(client_.session().parameter("application_name"), "");
  ASSERT_FALSE(client_.query("SET application_name = 'bench'"));
  EXPECT_EQ(client_.session().parameter("application_name"), "bench");
}

TEST_F(PostgreSql, AcceptsANotification) {
  ASSERT_FALSE(client_.query("LISTEN news"));
  const auto before = client_.channel().counters();
  ASSERT_FALSE(client_.query("NOTIFY news, 'hello'")) << client_.why();
  EXPECT_EQ(client_.channel().counters().frames_in - before.frames_in, 3u);  // C, A, Z
}

TEST_F(PostgreSql, NamesTheServersEndOfTheSession) {
  ASSERT_TRUE(client_.query("SELECT pg_terminate_backend(pg_backend_pid())"));
  EXPECT_NE(client_.why().find("57P01"), std::string::npos) << client_.why();
  EXPECT_FALSE(client_.channel().usable());
}

/// A whole session, from its log-in on, and all that it saw.
std::string session_of(wire::pg::client& client) {
  sink seen;
  const auto note = [&](codecs::error_code error) { seen.seen += error ? client.why() : "ok"; };
  note(client.log_in({.user = "postgres", .database = "postgres", .password = {}, .parameters = {}}));
  note(client.query("SELECT NULL AS a, repeat('x', 300) AS b; SELECT 1/0", &seen));
  statement echo{.name = "s"};
  note(client.prepare("SELECT $1::text, i::text FROM generate_series(1, 3) AS i", echo));
  const value text = codecs::as_bytes("text");
  note(client.execute(echo, {&text, 1}, &seen));
  note(client.query("BEGIN"));
  note(client.call(codecs::pg::large_object::lo_creat()));
  note(client.query("DO $$BEGIN RAISE NOTICE 'hm'; END$$; ROLLBACK", &seen));
  return seen.seen;
}

class Segments : public PostgreSql, public testing::WithParamInterface<std::size_t> {};

// Case C19: after every byte, inside the head, behind the head, one byte into the body.
TEST_P(Segments, ChangeNothing) {
  const auto whole = fmt::format(
      "ok[a,b](NULL,{})SELECT 1;the server answered with an error: ERROR: division by zero (22012)"
      "ok(text,1)(text,2)(text,3)SELECT 3;okokokDO;ROLLBACK;ok",
      std::string(300, 'x'));
  wire::pg::client direct(connect(uri()), &dog_);
  EXPECT_EQ(session_of(direct), whole);

  relay cutting(uri(), GetParam());
  wire::pg::client cut(cutting.take_client(), &dog_);
  EXPECT_EQ(session_of(cut), whole);
  const auto& counters = cut.channel().counters();
  EXPECT_EQ(counters.frames_in, direct.channel().counters().frames_in);
  EXPECT_GE(counters.reads * GetParam(), counters.bytes_in);
}

INSTANTIATE_TEST_SUITE_P(PostgreSql, Segments, testing::Values(1, 4, 5, 6, 7));

}  // namespace
}  // namespace tests
