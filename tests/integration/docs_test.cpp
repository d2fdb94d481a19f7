// The document workloads against the null server and against SecantusDB: what crosses the wire, what is counted, and what
// another driver finds of what the raw client wrote.

#include "bench/docs.hpp"

#include "wire/mongo/client.hpp"

#include "bench/drivers/libmongoc_docs.hpp"
#include "bench/workloads/docs_raw.hpp"

#include "fixtures/mongo_peers.hpp"
#include "fixtures/venv.hpp"

#include "tests/integration/connection.hpp"
#include "tests/integration/output.hpp"
#include "tests/support/allocations.hpp"
#include "tools/peers.hpp"

#include <algorithm>
#include <map>

namespace tests {
namespace {

using bench::docs_options;
using bench::result;
using bench::traffic;
using bench::workloads::docs_client;
using bench::workloads::docs_data;
using bench::workloads::docs_tally;
using bench::workloads::docs_test;

constexpr std::size_t document_bytes = 400;
constexpr std::uint64_t batch = 10;

const docs_data& data() {
  static const docs_data made({.count = 1'000, .found = 1'000, .document_bytes = document_bytes, .seed = 1});
  return made;
}

class DocsOnNull : public testing::Test {
 protected:
  void SetUp() override {
    auto started = tools::start_null_mongo(0, document_bytes);
    ASSERT_TRUE(started.ok()) << started.status();
    peer_ = *std::move(started);
  }

  std::unique_ptr<docs_client> open_raw() {
    auto opened =
        bench::workloads::open_docs_raw(endpoint_of(peer_->tcp_uri()), "docs_raw", data(), batch, dog_);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return *std::move(opened);
  }
  std::unique_ptr<docs_client> open_driver() {
    auto opened = bench::drivers::open_docs_libmongoc(peer_->tcp_uri(), "docs_drv", data(), batch, patience);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return *std::move(opened);
  }

  std::unique_ptr<bench::peer> peer_;
  wire::watchdog dog_{patience};
};

/// Bytes of one command about ten documents, by the layouts of the manuals.
struct expected_bytes {
  docs_test test;
  std::uint64_t commands;  ///< for ten documents
  std::uint64_t frames;
  std::uint64_t out;
  std::uint64_t in;
};

constexpr std::uint64_t envelope = 64 + 8 + 9 + 10;  // names "docs_raw" and "wirebench", `ordered`
constexpr std::uint64_t header = 16 + 4 + 1;

constexpr expected_bytes expected[] = {
    {docs_test::insert, 1, 1, envelope + 10 * 400, header + 24},
    // "updates" is two letters shorter than "documents"; {q: {_id}, u: {$set: {number}}} 4 + 3 + 18 + 3 + 32 + 1.
    {docs_test::update_double, 1, 1, envelope - 2 + 10 * 61, header + 39},
    {docs_test::update_int64, 1, 1, envelope - 2 + 10 * 61, header + 39},
    // {find: "docs_raw", filter, $db: "wirebench"} 5 + 19 + 19 and 8 for the filter's name; {_id: {$in: [10 int64]}}
    // 5 + 5 + 5 + 5 + 5 + 10 * 11. Reply: 5, 10 documents as elements 3 each, cursor 65 + "wirebench.docs_raw" 18 - 14, ok 12.
    {docs_test::find_in, 1, 1, header + 43 + 8 + 135, header + 5 + 10 * 403 + 69 + 12},
    // {_id: int64} 18, ten times.
    {docs_test::find_equal, 10, 10, 10 * (header + 43 + 8 + 18), 10 * (header + 5 + 403 + 69 + 12)},
    // {_id: {$gte: int64, $lt: int64}} 5 + 5 + 5 + 14 + 13.
    {docs_test::find_range, 1, 1, header + 43 + 8 + 42, header + 5 + 10 * 403 + 69 + 12},
};

TEST_F(DocsOnNull, RawMovesWhatTheProtocolSays) {
  const auto raw = open_raw();
  for (const auto& each : expected) {
    docs_tally tally;
    ASSERT_TRUE(raw->run({each.test, 0, batch, 0}, tally).ok());
    tally = {};
    const auto before = *raw->counted();
    const auto peer_before = *peer_->counted();
    const auto status = raw->run({each.test, 0, batch, 1}, tally);
    ASSERT_TRUE(status.ok()) << status;
    const auto moved = *raw->counted() - before;
    EXPECT_EQ(moved.frames_out, each.frames) << name(each.test);
    EXPECT_EQ(moved.frames_in, each.frames) << name(each.test);
    EXPECT_EQ(moved.bytes_out, each.out) << name(each.test);
    EXPECT_EQ(moved.bytes_in, each.in) << name(each.test);
    EXPECT_EQ(*peer_->counted() - peer_before, moved) << name(each.test) << ": both sides count alike";
    EXPECT_EQ(tally.documents, batch);
  }
}

// libmongoc's session id is 36 bytes in every command; its update statements say multi: false (8 bytes) and upsert: false
// (9 bytes) where ours leave them out.
TEST_F(DocsOnNull, LibmongocDoesTheSameWork) {
  const auto driver = open_driver();
  for (const auto& each : expected) {
    docs_tally tally;
    const auto before = *peer_->counted();
    const auto status = driver->run({each.test, 0, batch, 0}, tally);
    ASSERT_TRUE(status.ok()) << status;
    const auto moved = *peer_->counted() - before;
    const bool update = each.test == docs_test::update_double || each.test == docs_test::update_int64;
    EXPECT_EQ(moved.frames_out, each.frames) << name(each.test);
    EXPECT_EQ(moved.bytes_in, each.in) << name(each.test);
    EXPECT_EQ(moved.bytes_out, each.out + 36 * each.commands + (update ? 17 * batch : 0)) << name(each.test);
    EXPECT_EQ(tally.documents, batch);
    EXPECT_EQ(tally.payload_bytes, update ? 21 * batch : document_bytes * batch) << name(each.test);
  }
}

TEST_F(DocsOnNull, RawMakesNoHeapAllocation) {
  if (!allocations_counted()) GTEST_SKIP() << "a sanitizer's malloc is in use; counted in the plain build";
  const auto raw = open_raw();
  for (const auto test : bench::workloads::docs_tests) {
    docs_tally tally;
    ASSERT_TRUE(raw->run({test, 0, 100, 0}, tally).ok());
    const auto before = allocations();
    ASSERT_TRUE(raw->run({test, 0, 100, 0}, tally).ok());
    EXPECT_EQ(allocations() - before, 0u) << name(test);
  }
}

docs_options small(std::uint64_t threads) {
  return {.count = 300, .found = 120, .document_bytes = document_bytes, .batch = batch, .threads = threads};
}

void expect_whole(const result& measured, const docs_options& options, std::size_t servers) {
  ASSERT_EQ(measured.docs.size(), 6 * 2 * servers);
  EXPECT_EQ(measured.plan.ops.size(), 6u);
  EXPECT_EQ(measured.comparisons.size(), 6 * servers);
  std::map<std::string, std::uint64_t> rows;
  for (const auto& row : measured.docs) {
    const auto* of = find_cell(measured.cells, row.cell);
    ASSERT_NE(of, nullptr);
    const bool finds = of->what.op.starts_with("find");
    EXPECT_EQ(row.documents, finds ? options.found : options.count) << row.cell;
    EXPECT_EQ(row.errors, 0u) << row.cell;
    EXPECT_GT(row.elapsed_ns, 0) << row.cell;
    EXPECT_GT(row.client_cpu_ns, 0) << row.cell;
    EXPECT_TRUE(row.server_cpu_ns.has_value()) << row.cell;
    if (of->what.peer == "null") {
      EXPECT_TRUE(row.bytes_out && row.bytes_in) << row.cell;
      EXPECT_FALSE(row.stored_bytes.has_value()) << "it stores nothing";
    }
  }
  for (const auto& pair : measured.comparisons) {
    EXPECT_EQ(pair.asks, bench::question::overhead);
    EXPECT_TRUE(pair.ratio.has_value()) << pair.b;
    const auto rows_of_b = find_cell(measured.cells, pair.b)->rounds.size();
    EXPECT_EQ(pair.rows, rows_of_b) << pair.b << ": every round has its pair";
    EXPECT_EQ(pair.lo.has_value(), rows_of_b >= 6) << pair.b;
  }
}

TEST_F(DocsOnNull, EveryTestIsMeasuredInPairs) {
  for (const std::uint64_t threads : {1, 3}) {
    const auto options = small(threads);
    result measured;
    const auto status =
        bench::run_docs(options, {.null = peer_.get(), .real = nullptr, .server_pid = {}}, dog_, measured);
    ASSERT_TRUE(status.ok()) << status;
    expect_whole(measured, options, 1);
  }
}

class DocsOnSecantusDb : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started = tools::start_real("mongo", wire::protocol::mongo, 0, patience);
    ASSERT_TRUE(started.ok()) << started.status();
    server_ = *std::move(started);
  }
  static void TearDownTestSuite() { server_.reset(); }

  static inline std::unique_ptr<bench::peer> server_;
  wire::watchdog dog_{patience};
};

TEST_F(DocsOnSecantusDb, EveryTestIsMeasuredThere) {
  auto null = tools::start_null_mongo(0, document_bytes);
  ASSERT_TRUE(null.ok()) << null.status();
  auto options = small(2);
  options.count = 200;
  options.found = 60;
  result measured;
  const auto status = bench::run_docs(options, {.null = null->get(), .real = server_.get(), .server_pid = {}},
                                      dog_, measured);
  ASSERT_TRUE(status.ok()) << status;
  expect_whole(measured, options, 2);
  for (const auto& row : measured.docs) {
    if (find_cell(measured.cells, row.cell)->what.peer == "null") continue;
    EXPECT_EQ(row.stored_bytes, options.count * document_bytes)
        << row.cell << ": no document of the warm-up is left";
  }
}

// What the raw client wrote, as another driver reads it.
TEST_F(DocsOnSecantusDb, PymongoFindsWhatRawWrote) {
  const auto venv = fixtures::install_venv("pymongo-4.20.1", {"pymongo==4.20.1"});
  ASSERT_TRUE(venv.ok()) << venv.status();
  auto raw =
      bench::workloads::open_docs_raw(endpoint_of(server_->tcp_uri()), "read_back", data(), batch, dog_);
  ASSERT_TRUE(raw.ok()) << raw.status();
  docs_tally tally;
  ASSERT_TRUE((*raw)->run({docs_test::insert, 0, 100, 0}, tally).ok());
  ASSERT_TRUE((*raw)->run({docs_test::update_double, 0, 60, 0}, tally).ok());
  ASSERT_TRUE((*raw)->run({docs_test::update_int64, 0, 30, 0}, tally).ok());

  auto keeper = bench::workloads::connect_mongo(endpoint_of(server_->tcp_uri()), dog_);
  ASSERT_TRUE(keeper.ok()) << keeper.status();
  codecs::mongo::document filter, statement;
  bench::workloads::build_range(filter, 90, 100);
  build(statement, codecs::mongo::remove_statement{.filter = filter.view(), .many = true});
  const codecs::bytes_view view = statement.view();
  ASSERT_FALSE(
      (*keeper)->remove({.database = "wirebench", .collection = "read_back", .statements = {&view, 1}}));
  EXPECT_EQ((*keeper)->removed().removed, 10);

  EXPECT_EQ(output_of({*venv + "/bin/python", INTEGRATION_FOLDER "/pymongo_docs.py", server_->tcp_uri()}),
            "documents: 90, ids 0 to 89\n"
            "bytes: 400 each\n"
            "0: Int64 0\n"
            "29: Int64 29\n"
            "30: float 30.5\n"
            "59: float 59.5\n"
            "60: float 60.0\n"
            "89: float 89.0\n");
}

// Statements as a live server takes them: several documents, none, one that is not there yet, one that it refuses.
TEST_F(DocsOnSecantusDb, UpdatesTellMatchedModifiedAndUpserted) {
  auto connected = bench::workloads::connect_mongo(endpoint_of(server_->tcp_uri()), dog_);
  ASSERT_TRUE(connected.ok()) << connected.status();
  auto& client = **connected;
  auto raw = bench::workloads::open_docs_raw(endpoint_of(server_->tcp_uri()), "updates", data(), batch, dog_);
  ASSERT_TRUE(raw.ok()) << raw.status();
  docs_tally tally;
  ASSERT_TRUE((*raw)->run({docs_test::insert, 0, 20, 0}, tally).ok());

  codecs::mongo::document filter, change, statement;
  const auto update = [&](std::int64_t first, std::int64_t end, bool multi, bool upsert) {
    if (end == first + 1) {
      bench::workloads::build_equal(filter, first);
    } else {
      bench::workloads::build_range(filter, first, end);
    }
    build(statement, codecs::mongo::update_statement{
                         .filter = filter.view(), .change = change.view(), .multi = multi, .upsert = upsert});
    const codecs::bytes_view view = statement.view();
    return client.update({.database = "wirebench", .collection = "updates", .statements = {&view, 1}});
  };
  bench::workloads::build_change(change, docs_test::update_int64, -1, 0);
  ASSERT_FALSE(update(5, 15, true, false)) << client.why();
  EXPECT_EQ(client.updated().matched, 10);
  EXPECT_EQ(client.updated().modified, 10);
  ASSERT_FALSE(update(5, 15, true, false)) << client.why();
  EXPECT_EQ(client.updated().matched, 10);
  EXPECT_EQ(client.updated().modified, 0) << "they hold that value already";
  ASSERT_FALSE(update(500, 501, false, true)) << client.why();
  EXPECT_EQ(client.updated().matched, 0);
  EXPECT_EQ(client.updated().upserted, 1);

  change.clear();  // case C09: _id cannot be changed
  bson_t set;
  bson_append_document_begin(change.get(), "$set", 4, &set);
  bson_append_int64(&set, "_id", 3, 7);
  bson_append_document_end(change.get(), &set);
  EXPECT_EQ(update(3, 4, false, false), codecs::errc::remote_server_error) << client.why();
  EXPECT_EQ(client.updated().failed, 1);
  EXPECT_EQ(client.updated().modified, 0);

  // Case C05: the reply to the ping is the only one.
  const auto before = client.channel().counters();
  bench::workloads::build_equal(filter, 3);
  build(statement, codecs::mongo::remove_statement{.filter = filter.view()});
  const codecs::bytes_view view = statement.view();
  ASSERT_FALSE(client.remove(
      {.database = "wirebench", .collection = "updates", .statements = {&view, 1}, .acknowledged = false}));
  codecs::mongo::document ping;
  codecs::mongo::build_ping(ping);
  ASSERT_FALSE(client.command("admin", ping.view())) << client.why();
  EXPECT_EQ(client.channel().counters().frames_in - before.frames_in, 1u);
  ASSERT_FALSE(client.remove({.database = "wirebench", .collection = "updates", .statements = {&view, 1}}));
  EXPECT_EQ(client.removed().removed, 0) << "the unacknowledged one has taken it";
}

}  // namespace
}  // namespace tests
