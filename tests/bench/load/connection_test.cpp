// What a connection does beside its ops: it places what serves it, and leaves its loop.

#include "wire/channel.hpp"
#include "wire/transport.hpp"

#include "bench/load/runner.hpp"
#include "bench/placement.hpp"

#include "tests/support/socket_pair.hpp"
#include "tests/support/toy_protocol.hpp"
#include "tests/wire/reactor.hpp"

#include <gtest/gtest.h>

#include <list>
#include <stdexcept>

namespace bench::load {
namespace {

/// A peer that is this process, or of which nothing is known.
class test_peer final : public peer {
 public:
  explicit test_peer(std::optional<pid_t> pid = std::nullopt) : pid_(pid) {}

  std::string name() const override { return "test"; }
  std::string tcp_uri() const override { return {}; }
  std::optional<std::string> unix_uri() const override { return std::nullopt; }
  std::optional<pid_t> pid() const override { return pid_; }
  std::optional<traffic> counted() const override { return std::nullopt; }
  std::unique_ptr<codecs::conversation> converse() const override { return nullptr; }

 private:
  std::optional<pid_t> pid_;
};

class nothing final : public workload {
 public:
  absl::Status run(std::uint64_t /*ops*/) override { return absl::OkStatus(); }
};

/// Looking for a server's threads is work of the thread whose CPU time is the ops'.
TEST(connection, pins_a_server_once_and_not_with_every_reconnect) {
  const auto mine = allowed_cpus();
  const test_peer here(::getpid());
  int opened = 0;
  plan asked;
  asked.mix = {{"op"}};
  asked.open = [&]() -> absl::StatusOr<session> {
    if (++opened == 2) {  // the calling thread is the worker's
      cpu_set_t all;
      CPU_ZERO(&all);
      for (const int cpu : mine) CPU_SET(cpu, &all);
      ::sched_setaffinity(::getpid(), sizeof all, &all);
    }
    session fresh;
    fresh.ops.push_back(std::make_unique<nothing>());
    return fresh;
  };
  asked.served_by = &here;
  asked.cpu = mine.back();
  asked.warm_up_ns = 0;
  asked.count = 10;
  asked.reconnect_every = 4;
  const kept_affinity kept(::getpid());
  const auto came = run(asked);
  ASSERT_TRUE(came.status.ok()) << came.status;
  EXPECT_EQ(opened, 3);
  EXPECT_EQ(came.measured.what.placement, "same-cpu");
  EXPECT_EQ(allowed_cpus(), mine);
}

/// An op that is over a socket, until something is thrown where nothing should be.
class throwing final : public workloads::raw_workload {
 public:
  throwing(std::unique_ptr<wire::channel> channel, int until)
      : raw_workload(*channel), owned_(std::move(channel)), left_(until) {}

  codecs::exchange& next_op() override {
    if (left_-- == 0) throw std::runtime_error("no descriptors left");
    return op_;
  }

 private:
  std::unique_ptr<wire::channel> owned_;
  int left_;
  const std::uint8_t piece_[4] = {};
  tests::toy_exchange op_{piece_, 1, 1};
};

/// One connection throws while the others wait for replies: all have left the loop before it goes.
TEST(connection, leaves_a_loop_that_throws) {
  SKIP_WITHOUT_REACTOR();
  const test_peer unknown;
  std::list<tests::socket_pair> pairs;
  plan asked;
  asked.mix = {{"op"}};
  asked.open = [&]() -> absl::StatusOr<session> {
    auto& pair = pairs.emplace_back();
    auto channel = std::make_unique<wire::channel>(wire::make_socket_transport(pair.take_client()));
    pair.serve([](int fd) {
      tests::toy_conversation echo;
      wire::channel(wire::make_socket_transport(::dup(fd))).serve(echo);
    });
    auto op = std::make_unique<throwing>(std::move(channel), pairs.size() == 3 ? 10 : 1'000'000);
    session fresh;
    fresh.exchanges.push_back(op.get());
    fresh.ops.push_back(std::move(op));
    return fresh;
  };
  asked.served_by = &unknown;
  asked.connections = 3;
  asked.io = wire::loop::kind::reactor;
  asked.warm_up_ns = 0;
  asked.count = 100'000;
  const auto came = run(asked);
  EXPECT_EQ(came.status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(std::string(came.status.message()), "no descriptors left");
  EXPECT_EQ(came.measured.load->ended_by, "failure");
}

}  // namespace
}  // namespace bench::load
