#include "wire/channel.hpp"

#include "wire/strategy/gather.hpp"
#include "wire/strategy/staged.hpp"

#include "tests/support/allocations.hpp"
#include "tests/support/socket_pair.hpp"
#include "tests/wire/toy_peer.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <gtest/gtest.h>

namespace {

using codecs::errc;
using namespace std::chrono_literals;
using tests::text;

TEST(Channel, RunsAnExchangeInMemory) {
  wire::channel channel(wire::make_memory_transport(std::make_unique<tests::toy_conversation>()));
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_FALSE(channel.run(op));
  EXPECT_EQ(op.reply_bytes, 8u);
  EXPECT_EQ(channel.counters().bytes_out, 8u);
  EXPECT_EQ(channel.counters().bytes_in, 8u);
}

TEST(Channel, TakesTwoSystemCallsPerOp) {
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  pair.serve([](int fd) {
    tests::toy_conversation echo;
    wire::channel peer(wire::make_socket_transport(::dup(fd)));
    EXPECT_FALSE(peer.serve(echo));
  });
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(channel.run(op));
  EXPECT_EQ(channel.counters().syscalls(), 200u);
  EXPECT_EQ(channel.counters().frames_in, 100u);
  EXPECT_EQ(channel.counters().frames_out, 100u);
}

TEST(Channel, MakesNoHeapAllocationOnceWarm) {
  if (!tests::allocations_counted())
    GTEST_SKIP() << "a sanitizer's malloc is in use; counted in the plain build";
  wire::channel channel(wire::make_memory_transport(std::make_unique<tests::toy_conversation>()));
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_EQ(tests::allocations_once_warm([&] { EXPECT_FALSE(channel.run(op)); }), 0u);
}

// Case C39: 40 chunks as prefix, payload and suffix, and a header. All pieces are large enough to be
// borrowed.
TEST(Channel, SendsTheWholeGatherListInOneSystemCall) {
  tests::socket_pair pair;
  auto in = std::make_unique<wire::staged_buffer>();
  in->prepare(256 * 1024);  // room for the whole reply: growing would copy what has arrived by then
  wire::channel channel(wire::make_socket_transport(pair.take_client()),
                        std::make_unique<wire::gather_buffer>(), std::move(in), nullptr);
  pair.serve([](int fd) {
    tests::toy_conversation echo;
    wire::channel peer(wire::make_socket_transport(::dup(fd)));
    peer.serve(echo);
  });
  const std::vector<std::uint8_t> piece(1024, 'x');
  tests::toy_exchange op(piece, 120, 1);
  ASSERT_FALSE(channel.run(op)) << channel.why();
  EXPECT_EQ(channel.counters().writes, 1u);
  EXPECT_EQ(channel.copied_bytes(), 0u);
  EXPECT_EQ(op.reply_bytes, 4 + 120 * 1024u);
}

// What the loop above stands in for: Boost 1.81 passes 64 buffers per call and says so in bytes_transferred
// alone.
TEST(Channel, AsioSendsSixtyFourBuffersPerCall) {
  boost::asio::io_context context;
  boost::asio::local::stream_protocol::socket near(context), far(context);
  boost::asio::local::connect_pair(near, far);
  const std::vector<std::uint8_t> piece(16, 'x');
  const std::vector<boost::asio::const_buffer> buffers(121, boost::asio::buffer(piece));
  EXPECT_EQ(near.write_some(buffers), 64 * 16u);
}

TEST(Channel, PeerClosesWhenTheConversationDoes) {
  wire::channel channel(wire::make_memory_transport(std::make_unique<tests::toy_conversation>()));
  const auto bye = text("bye");
  tests::toy_exchange op(bye, 1, 1);
  EXPECT_FALSE(channel.run(op));
  EXPECT_EQ(channel.run(op), errc::remote_hang_up);
}

}  // namespace
