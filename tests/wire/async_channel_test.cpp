#include "wire/async_channel.hpp"

#include "tests/support/allocations.hpp"
#include "tests/support/socket_pair.hpp"
#include "tests/wire/reactor.hpp"
#include "tests/wire/toy_peer.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>

#include <list>
#include <stdexcept>

namespace {

using namespace std::chrono_literals;
using tests::echo;
using tests::text;

wire::task run_ops(wire::async_channel& channel, codecs::exchange& op, int times) {
  for (int i = 0; i < times; ++i) {
    const auto error = co_await channel.async_run(op);
    EXPECT_FALSE(error) << channel.channel().why();
  }
}

/// A connection whose ops run on a loop.
struct connection {
  explicit connection(wire::loop& owner)
      : channel(wire::make_socket_transport(pair.take_client())), async(owner, channel) {
    pair.serve(echo);
  }

  wire::task run(codecs::exchange& op, int times) { return run_ops(async, op, times); }

  tests::socket_pair pair;
  wire::channel channel;
  wire::async_channel async;
};

class AsyncChannel : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_REACTOR(); }

  wire::loop loop_{wire::loop::kind::reactor};
  const std::vector<std::uint8_t> piece_ = text("ping");
};

TEST_F(AsyncChannel, WritesWaitsAndReadsOncePerOp) {
  connection each(loop_);
  tests::toy_exchange op(piece_, 1, 1);
  loop_.spawn(each.run(op, 100));
  loop_.run();
  const auto& counters = each.channel.counters();
  EXPECT_EQ(counters.writes, 100u);
  EXPECT_EQ(counters.polls, wire::loop::reactor_name() == "epoll" ? 100u : 0u);
  EXPECT_EQ(counters.reads, 100u);
  EXPECT_EQ(counters.frames_in, 100u);
  EXPECT_EQ(counters.frames_out, 100u);
  EXPECT_EQ(counters.bytes_out, 800u);
  EXPECT_EQ(counters.bytes_in, 800u);
}

TEST_F(AsyncChannel, RunsManyConnectionsOnOneThreadWithoutAllocating) {
  constexpr int ops = 50;
  std::list<connection> connections;
  for (int i = 0; i < 64; ++i) connections.emplace_back(loop_);
  std::list<tests::toy_exchange> exchanges;
  for (int i = 0; i < 64; ++i) exchanges.emplace_back(piece_, 1, 1);
  const auto spawn_all = [&] {
    auto op = exchanges.begin();
    for (auto& each : connections) loop_.spawn(each.run(*op++, ops));
  };
  spawn_all();
  loop_.run();  // warm
  spawn_all();
  const auto before = tests::allocations();
  loop_.run();
  const auto allocated = tests::allocations() - before;
  EXPECT_EQ(allocated, 0u);
  for (const auto& each : connections) {
    EXPECT_EQ(each.channel.counters().frames_in, 2u * ops);
    EXPECT_EQ(each.channel.counters().writes, 2u * ops);
    EXPECT_EQ(each.channel.counters().reads, 2u * ops);
  }
}

TEST_F(AsyncChannel, LeavesTheChannelAsItWas) {
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  pair.serve(echo);
  tests::toy_exchange op(piece_, 1, 1);
  const int flags = ::fcntl(channel.native_handle(), F_GETFL);
  {
    wire::async_channel async(loop_, channel);
    loop_.spawn(run_ops(async, op, 1));
    loop_.run();
  }
  EXPECT_EQ(::fcntl(channel.native_handle(), F_GETFL), flags);
  EXPECT_FALSE(channel.run(op));
  EXPECT_EQ(channel.counters().frames_in, 2u);
}

// One connection's end is not that of the others.
TEST_F(AsyncChannel, OutlivesAPeerThatHangsUp) {
  connection lasting(loop_);
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  pair.serve([](int fd) {
    std::uint8_t request[64];
    ::recv(fd, request, sizeof request, 0);
  });
  wire::async_channel failing(loop_, channel);
  tests::toy_exchange op(piece_, 1, 1), other(piece_, 1, 1);
  wire::error_code outcome;
  const auto fail = [&]() -> wire::task { outcome = co_await failing.async_run(other); };
  loop_.spawn(fail());
  loop_.spawn(lasting.run(op, 100));
  loop_.run();
  EXPECT_EQ(outcome, codecs::errc::remote_hang_up);
  EXPECT_EQ(lasting.channel.counters().frames_in, 100u);
}

// A task that is given up in the middle of an op, as what another one threw leaves the loop.
TEST_F(AsyncChannel, IsGivenUpInTheMiddleOfAnOp) {
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  pair.serve([](int fd) {
    std::uint8_t byte;
    while (::recv(fd, &byte, 1, 0) > 0) continue;
  });
  tests::toy_exchange op(piece_, 1, 1);
  wire::loop owner(wire::loop::kind::reactor);
  wire::async_channel async(owner, channel);
  owner.spawn(run_ops(async, op, 1));
  const auto thrower = [&]() -> wire::task {
    co_await owner.sleep_until(wire::loop::clock::now() + 1ms);
    throw std::runtime_error("enough");
  };
  owner.spawn(thrower());
  EXPECT_THROW(owner.run(), std::runtime_error);
}

TEST_F(AsyncChannel, SleepersWakeInTheOrderOfTheirTimes) {
  const auto start = wire::loop::clock::now();
  std::string woken;
  const auto sleeper = [&](char name, std::chrono::milliseconds when) -> wire::task {
    for (int i = 1; i <= 2; ++i) {
      co_await loop_.sleep_until(start + i * when);
      EXPECT_GE(wire::loop::clock::now(), start + i * when);
      woken += name;
    }
  };
  loop_.spawn(sleeper('a', 30ms));
  loop_.spawn(sleeper('b', 10ms));
  loop_.run();
  EXPECT_EQ(woken, "bbaa");
}

TEST(BlockingLoop, RunsTasksOneAfterTheOther) {
  wire::loop owner(wire::loop::kind::blocking);
  wire::channel channel(wire::make_memory_transport(std::make_unique<tests::toy_conversation>()));
  wire::async_channel async(owner, channel);
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  std::string order;
  const auto task = [&](char name) -> wire::task {
    order += name;
    co_await owner.sleep_until(wire::loop::clock::now() + 1ms);
    EXPECT_FALSE(co_await async.async_run(op));
    order += name;
  };
  owner.spawn(task('a'));
  owner.spawn(task('b'));
  owner.run();
  EXPECT_EQ(order, "aabb");
  EXPECT_EQ(channel.counters().frames_in, 2u);
}

}  // namespace
