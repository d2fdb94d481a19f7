#include "wire/async_channel.hpp"

#include "tests/support/allocations.hpp"
#include "tests/support/socket_pair.hpp"
#include "tests/support/toy_protocol.hpp"

#include <gtest/gtest.h>

#include <list>

namespace {

std::vector<std::uint8_t> text(std::string_view value) {
  return {value.begin(), value.end()};
}

/// A peer that echoes until the client hangs up.
void echo(int fd) {
  tests::toy_conversation conversation;
  wire::channel peer(wire::make_socket_transport(::dup(fd)));
  peer.serve(conversation);
}

/// A connection whose ops run on a loop.
struct connection {
  explicit connection(wire::loop& owner)
      : channel(wire::make_socket_transport(pair.take_client())), async(owner, channel) {
    pair.serve(echo);
  }

  wire::task run(codecs::exchange& op, int times) {
    for (int i = 0; i < times; ++i) {
      const auto error = co_await async.async_run(op);
      EXPECT_FALSE(error) << channel.why();
    }
  }

  tests::socket_pair pair;
  wire::channel channel;
  wire::async_channel async;
};

TEST(AsyncChannel, WritesWaitsAndReadsOncePerOp) {
  wire::loop loop(wire::loop::kind::reactor);
  connection each(loop);
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  loop.spawn(each.run(op, 100));
  loop.run();
  const auto& counters = each.channel.counters();
  EXPECT_EQ(counters.writes, 100u);
  EXPECT_EQ(counters.polls, 100u);
  EXPECT_EQ(counters.reads, 100u);
  EXPECT_EQ(counters.frames_in, 100u);
  EXPECT_EQ(counters.frames_out, 100u);
  EXPECT_EQ(counters.bytes_out, 800u);
  EXPECT_EQ(counters.bytes_in, 800u);
}

}  // namespace
