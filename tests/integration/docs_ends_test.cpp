// Document workloads that end before their end: by Ctrl-C between rows and within one, by an answer that is wrong.

#include "wire/channel.hpp"
#include "wire/strategy/gather.hpp"

#include "bench/docs.hpp"

#include "fixtures/null_mongo.hpp"
#include "fixtures/process.hpp"

#include "tests/integration/connection.hpp"
#include "tools/peers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

namespace tests {
namespace {

using bench::docs_options;
using bench::result;
using bench::traffic;

constexpr std::size_t document_bytes = 400;
constexpr std::uint64_t batch = 10;

docs_options small(std::uint64_t threads) {
  return {.count = 300, .found = 120, .document_bytes = document_bytes, .batch = batch, .threads = threads};
}

class DocsEndedEarly : public testing::Test {
 protected:
  void SetUp() override {
    auto started = tools::start_null_mongo(0, document_bytes);
    ASSERT_TRUE(started.ok()) << started.status();
    peer_ = *std::move(started);
  }

  std::unique_ptr<bench::peer> peer_;
  wire::watchdog dog_{patience};
};

TEST_F(DocsEndedEarly, StopKeepsWhatWasMeasured) {
  std::atomic<bool> stop = false;
  auto options = small(1);
  options.stop = &stop;
  int calls = 0;
  options.on_progress = [&](double share, const std::string& test) {
    EXPECT_GT(share, 0);
    EXPECT_LE(share, 1);
    if (test == "update_double" && ++calls == 3) stop = true;
  };
  result measured;
  ASSERT_TRUE(
      bench::run_docs(options, {.null = peer_.get(), .real = nullptr, .server_pid = {}}, dog_, measured)
          .ok());
  ASSERT_EQ(measured.docs.size(), 4u);  // insert whole, and three rows of the update
  EXPECT_EQ(measured.docs[0].documents, options.count);
  EXPECT_EQ(measured.docs[2].documents, 3 * batch);
  EXPECT_EQ(measured.plan.ops.back().reason, bench::ended_by::stop);
}

/// The null server, whose owner presses Ctrl-C behind the driver's round of that number. What crossed the wire is asked for
/// before and behind each of the driver's rounds; the raw client counts that itself.
class interrupted_peer final : public bench::peer {
 public:
  interrupted_peer(const bench::peer& inner, int rounds, std::atomic<bool>& stop)
      : inner_(inner), calls_left_(2 * rounds), stop_(stop) {}
  std::string name() const override { return inner_.name(); }
  std::string tcp_uri() const override { return inner_.tcp_uri(); }
  std::optional<std::string> unix_uri() const override { return inner_.unix_uri(); }
  std::optional<pid_t> pid() const override { return inner_.pid(); }
  std::optional<traffic> counted() const override {
    if (--calls_left_ == 0) stop_ = true;
    return inner_.counted();
  }
  std::unique_ptr<codecs::conversation> converse() const override { return nullptr; }

 private:
  const bench::peer& inner_;
  mutable int calls_left_;
  std::atomic<bool>& stop_;
};

// Of two rows in turn the driver goes first in one: that row is cut in half, and nothing of it may be left.
TEST_F(DocsEndedEarly, ARowThatIsDroppedCountsNothing) {
  int cut = 0;
  for (const int rounds : {3, 4}) {
    std::atomic<bool> stop = false;
    const interrupted_peer peer(*peer_, rounds, stop);
    auto options = small(1);
    options.stop = &stop;
    result measured;
    const auto status =
        bench::run_docs(options, {.null = &peer, .real = nullptr, .server_pid = {}}, dog_, measured);
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(measured.docs.size(), 2u);  // raw and the driver in the first test
    for (const auto& row : measured.docs)
      EXPECT_EQ(row.payload_bytes, row.documents * document_bytes) << row.cell;
    cut += static_cast<int>(measured.cells[0].rounds.size()) < rounds;
  }
  EXPECT_EQ(cut, 1);
}

/// The null server, but for nModified, which is 0.
class lying_server final : public codecs::conversation {
 public:
  codecs::scan_result scan(codecs::bytes_view unread) const override { return honest_.scan(unread); }
  codecs::answer on_frame(codecs::bytes_view frame, codecs::send_buffer& out) override {
    wire::gather_buffer said;
    const auto answer = honest_.on_frame(frame, said);
    sent_frames(honest_.take_frames_sent());
    std::string reply;
    for (const auto segment : said.segments()) reply.append(segment.begin(), segment.end());
    constexpr std::string_view modified("nModified\0", 10);
    if (const auto at = reply.find(modified); at != std::string::npos) reply.replace(at + 10, 4, 4, '\0');
    const auto room = out.prepare(reply.size());
    std::copy(reply.begin(), reply.end(), room.begin());
    out.commit(reply.size());
    return answer;
  }

 private:
  fixtures::null_mongo honest_;
};

class lying_peer final : public bench::peer {
 public:
  explicit lying_peer(fixtures::process process) : process_(std::move(process)) {}
  std::string name() const override { return "liar"; }
  std::string tcp_uri() const override { return tools::null_uri(wire::protocol::mongo, process_.tcp_port()); }
  std::optional<std::string> unix_uri() const override { return std::nullopt; }
  std::optional<pid_t> pid() const override { return process_.pid(); }
  std::optional<traffic> counted() const override { return std::nullopt; }
  std::unique_ptr<codecs::conversation> converse() const override { return nullptr; }

 private:
  fixtures::process process_;
};

TEST(Docs, AWrongCountEndsTheRun) {
  auto started = fixtures::process::start(0, [](int fd, fixtures::shared_counters&) {
    wire::channel channel(wire::make_socket_transport(fd));
    lying_server server;
    channel.serve(server);
  });
  ASSERT_TRUE(started.ok()) << started.status();
  const lying_peer liar(*std::move(started));
  wire::watchdog dog(patience);
  result measured;
  const auto status =
      bench::run_docs(small(1), {.null = &liar, .real = nullptr, .server_pid = {}}, dog, measured);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;  // exit code 5
  EXPECT_NE(status.message().find("10 matched and 0 modified"), std::string::npos) << status;
  EXPECT_EQ(measured.docs.size(), 2u) << "the inserts before it stay";
}

}  // namespace
}  // namespace tests
