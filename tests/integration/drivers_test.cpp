// Every op of every client against the null servers: what crosses the wire, and what an op of the raw clients
// costs in system calls, allocations and copies. The bytes are sums of the layouts in the manuals, not what was
// once seen.

#include "wire/pg/client.hpp"
#include "wire/strategy/gather.hpp"

#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libpq.hpp"
#include "bench/op_set.hpp"
#include "bench/workloads/pg_op_set.hpp"
#include "bench/workloads/raw.hpp"

#include "fixtures/null_pg.hpp"

#include "tests/integration/connection.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/codec_checks.hpp"
#include "tools/peers.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <ostream>
#include <set>

namespace bench {

void PrintTo(const traffic& moved, std::ostream* out) {
  *out << moved.frames_out << " frames and " << moved.bytes_out << " bytes out, " << moved.frames_in
       << " and " << moved.bytes_in << " in";
}

}  // namespace bench

namespace tests {
namespace {

using bench::traffic;
using opened_work = absl::StatusOr<std::unique_ptr<bench::workload>>;

constexpr std::uint64_t ops = 20;

traffic times(std::uint64_t factor, const traffic& one) {
  return {one.frames_out * factor, one.frames_in * factor, one.bytes_out * factor, one.bytes_in * factor};
}

struct expected_op {
  const char* name;
  traffic raw;
  traffic driver;
};

// A session's `lsid` is 36 bytes. libpq's Describe is 7 bytes, its answer NoData 5 or, of one column,
// RowDescription 30.
constexpr expected_op expected[] = {
    // 16 header, 4 flags, 1 kind; {ping:1, $db:"admin"} 30. Reply {ok:1.0} 17.
    {"ping", {1, 1, 51, 38}, {1, 1, 87, 38}},
    // 64 + "docs" + "wirebench" + `ordered` 10 + document 400. Reply {n:1, ok:1.0} 24.
    {"insert_one", {1, 1, 487, 45}, {1, 1, 523, 45}},
    // 21 + 5 + find 15, filter 30, limit 15, singleBatch 14, $db 19.
    // Reply 21 + 5 + document 1,024, cursor around it 68, ok 12.
    {"find_one", {1, 1, 119, 1130}, {1, 1, 155, 1130}},
    // Q. Reply T 34, D 12, C 14, Z 6.
    {"select1", {1, 4, 14, 66}, {1, 4, 14, 66}},
    // B 26, E 10, S 5. Reply 2 5, D 15, C 14, Z 6.
    {"select_param", {3, 4, 41, 40}, {4, 5, 48, 70}},
    // B 422, E 10, S 5. Reply 2 5, C 16, Z 6.
    {"insert_row", {3, 3, 437, 27}, {4, 4, 444, 32}},
    // F 29 + 262,144. Reply V 13, Z 6.
    {"lowrite_256k", {1, 2, 262'173, 19}, {1, 2, 262'173, 19}},
};

void PrintTo(const expected_op& op, std::ostream* out) {
  *out << op.name;
}

TEST(OpSet, IsExpectedHereAsAWhole) {
  std::vector<std::string> here, there;
  for (const auto& op : expected) here.emplace_back(op.name);
  for (const auto& op : bench::op_set()) there.push_back(op.name);
  EXPECT_EQ(here, there);
}

/// One null server of each protocol for all tests.
class Op : public testing::TestWithParam<expected_op> {
 protected:
  static void TearDownTestSuite() { peers_.clear(); }

  void SetUp() override {
    auto& peer = peers_[what_.protocol];
    if (peer == nullptr) {
      auto started = tools::start_null(what_.protocol, 0);
      ASSERT_TRUE(started.ok()) << started.status();
      peer = *std::move(started);
    }
    peer_ = peer.get();
  }

  bench::workloads::opened_raw open_raw() {
    return bench::workloads::open_raw(what_.name, endpoint_of(peer_->tcp_uri()), dog_);
  }

  bench::workloads::opened_raw open_in_memory() {
    auto transport = wire::make_memory_transport(peer_->converse());
    if (what_.protocol == wire::protocol::mongo) {
      return bench::workloads::open_mongo(what_.name, std::move(transport), dog_);
    }
    return bench::workloads::open_pg(what_.name, std::move(transport), endpoint_of(peer_->tcp_uri()), dog_);
  }

  opened_work open_driver() {
    if (what_.protocol == wire::protocol::mongo) {
      return bench::drivers::open_libmongoc(what_.name, peer_->tcp_uri(), patience);
    }
    return bench::drivers::open_libpq(what_.name, peer_->tcp_uri(), dog_);
  }

  /// What the null server counts of one op; the first one, which connects or prepares, is left out.
  traffic per_op(bench::workload& work) {
    EXPECT_TRUE(work.before().ok());
    EXPECT_TRUE(work.run(1).ok());
    const auto before = *peer_->counted();
    const auto ran = work.run(ops);
    EXPECT_TRUE(ran.ok()) << ran;
    const auto moved = *peer_->counted() - before;
    EXPECT_TRUE(work.after().ok());
    const traffic one{moved.frames_out / ops, moved.frames_in / ops, moved.bytes_out / ops,
                      moved.bytes_in / ops};
    EXPECT_EQ(times(ops, one), moved) << "not the same in every op";
    return one;
  }

  /// Heap allocations of `ops` ops on a warm connection.
  static std::uint64_t allocations_of(bench::workload& work) {
    EXPECT_TRUE(work.before().ok());
    EXPECT_TRUE(work.run(ops).ok());
    const auto before = allocations();
    const auto ran = work.run(ops);
    const auto after = allocations();
    EXPECT_TRUE(ran.ok()) << ran;
    return after - before;
  }

  static inline std::map<wire::protocol, std::unique_ptr<bench::peer>> peers_;

  const bench::op& what_ = *bench::find_op(GetParam().name);
  wire::watchdog dog_{patience};
  bench::peer* peer_ = nullptr;
};

TEST_P(Op, OfTheDriverMovesWhatTheProtocolSays) {
  const auto work = open_driver();
  ASSERT_TRUE(work.ok()) << work.status();
  EXPECT_EQ(per_op(**work), GetParam().driver);
}

TEST_P(Op, OfTheRawClientMovesWhatTheProtocolSays) {
  const auto work = open_raw();
  ASSERT_TRUE(work.ok()) << work.status();
  EXPECT_EQ(per_op(**work), GetParam().raw);
}

TEST_P(Op, IsCountedAlikeByBothSides) {
  const auto work = open_raw();
  ASSERT_TRUE(work.ok()) << work.status();
  ASSERT_TRUE((*work)->before().ok());
  const auto before = *(*work)->counted();
  ASSERT_TRUE((*work)->run(ops).ok());
  EXPECT_EQ(*(*work)->counted() - before, times(ops, GetParam().raw));
}

TEST_P(Op, TakesTwoSystemCalls) {
  const auto work = open_raw();
  ASSERT_TRUE(work.ok()) << work.status();
  ASSERT_TRUE((*work)->before().ok());
  ASSERT_TRUE((*work)->run(1).ok());
  const auto before = *(*work)->syscalls();
  ASSERT_TRUE((*work)->run(ops).ok());
  const auto made = *(*work)->syscalls() - before;
  if (GetParam().raw.bytes_out < 64 * 1024) {
    EXPECT_EQ(made, 2 * ops);
  } else {
    EXPECT_GE(made, 2 * ops);  // more after a partial send
  }
}

TEST_P(Op, OverTcpMakesNoHeapAllocation) {
  if (!allocations_counted()) GTEST_SKIP() << "a sanitizer's malloc is in use; counted in the plain build";
  const auto work = open_raw();
  ASSERT_TRUE(work.ok()) << work.status();
  EXPECT_EQ(allocations_of(**work), 0u);
}

TEST_P(Op, InMemoryMakesNoHeapAllocation) {
  if (!allocations_counted()) GTEST_SKIP() << "a sanitizer's malloc is in use; counted in the plain build";
  const auto work = open_in_memory();
  ASSERT_TRUE(work.ok()) << work.status();
  EXPECT_EQ(allocations_of(**work), 0u);
}

INSTANTIATE_TEST_SUITE_P(OpSet, Op, testing::ValuesIn(expected),
                         [](const auto& op) { return std::string(op.param.name); });

/// Bytes that libmongoc adds to our ping (51) and insert_one (487), and the null server to its replies (38 and 45).
struct profile_bytes {
  fixtures::mongo_profile profile;
  std::uint64_t ping;
  std::uint64_t insert;
  std::uint64_t reply;
};

// lsid 36, txnNumber 19; $clusterTime 102: 14 of type and key, a document of 88, of which clusterTime 21 and signature
// 62 with hash 31 and keyId 15; operationTime 23. A replica set that is reached directly is sent $readPreference
// {mode: "primaryPreferred"} 49 with all that does not write.
constexpr profile_bytes by_profile[] = {
    {fixtures::mongo_profile::no_sessions, 0, 0, 0},
    {fixtures::mongo_profile::standalone, 36, 36, 0},
    {fixtures::mongo_profile::replica_set, 36 + 102 + 49, 36 + 102 + 19, 102 + 23},
};

TEST(Profile, DecidesWhatLibmongocSends) {
  for (const auto& [profile, ping, insert, reply] : by_profile) {
    SCOPED_TRACE(fixtures::name(profile));
    const auto peer = tools::start_null(wire::protocol::mongo, 0, profile);
    ASSERT_TRUE(peer.ok()) << peer.status();
    const auto one = [&](const char* op) {
      const auto work = bench::drivers::open_libmongoc(op, (*peer)->tcp_uri(), patience);
      EXPECT_TRUE(work.ok() && (*work)->run(1).ok());
      const auto before = *(*peer)->counted();
      EXPECT_TRUE((*work)->run(1).ok());
      return *(*peer)->counted() - before;
    };
    EXPECT_EQ(one("ping"), (traffic{1, 1, 51 + ping, 38 + reply}));
    EXPECT_EQ(one("insert_one"), (traffic{1, 1, 487 + insert, 45 + reply}));
  }
}

TEST(Libmongoc, ConnectsWhenItIsOpened) {
  const auto peer = tools::start_null(wire::protocol::mongo, 0);
  ASSERT_TRUE(peer.ok()) << peer.status();
  const auto work = bench::drivers::open_libmongoc("ping", (*peer)->tcp_uri(), patience);
  ASSERT_TRUE(work.ok()) << work.status();
  const auto before = *(*peer)->counted();
  ASSERT_TRUE((*work)->run(1).ok());
  EXPECT_EQ(*(*peer)->counted() - before, (traffic{1, 1, 87, 38}));  // and no hello
}

/// The bytes that the next op would send.
std::vector<std::uint8_t> next_request(bench::workloads::raw_workload& work) {
  wire::gather_buffer out;
  work.next_op().start(out);
  return flatten(out);
}

/// So that they can be in flight together, a connection holds several copies of one op.
TEST(OwnStatement, DrawsOtherParametersInEachCopy) {
  const bench::workloads::sql_statement own{.text = "SELECT $1",
                                            .parameters = {{8, 0, std::numeric_limits<std::int64_t>::max()}},
                                            .mode = bench::workloads::query_mode::simple};
  wire::watchdog dog(patience);
  const auto opened = bench::workloads::open_pg(
      {"sql", "sql", "sql"}, wire::make_memory_transport(std::make_unique<fixtures::null_pg>()),
      endpoint_of("postgresql://wirebench@127.0.0.1:1/wirebench"), dog, &own);
  ASSERT_TRUE(opened.ok()) << opened.status();
  std::set<std::vector<std::uint8_t>> requests;
  for (const auto& copy : *opened) requests.insert(next_request(*copy));
  EXPECT_EQ(requests.size(), 3U);
}

TEST(LargeObjectWrite, CopiesNoPayload) {
  namespace lo = codecs::pg::large_object;
  auto peer = tools::start_null(wire::protocol::pg, 0);
  ASSERT_TRUE(peer.ok()) << peer.status();
  wire::watchdog dog(patience);
  wire::pg::client client(connect((*peer)->tcp_uri()), &dog);
  ASSERT_FALSE(client.log_in({.user = "wirebench", .password = {}, .parameters = {}})) << client.why();
  ASSERT_FALSE(client.query("BEGIN")) << client.why();
  ASSERT_FALSE(client.call(lo::lo_creat())) << client.why();
  ASSERT_FALSE(client.call(lo::lo_open(static_cast<codecs::pg::oid>(client.number()), lo::inv_write)))
      << client.why();
  const auto descriptor = static_cast<std::int32_t>(client.number());
  const auto chunk = bench::workloads::large_object_chunk();
  for (std::uint64_t i = 0; i < ops; ++i) {
    ASSERT_FALSE(client.call(lo::lowrite(descriptor, chunk))) << client.why();
    EXPECT_EQ(client.number(), static_cast<std::int64_t>(chunk.size()));
  }
  EXPECT_EQ(client.channel().copied_bytes(), 0u);
}

}  // namespace
}  // namespace tests
