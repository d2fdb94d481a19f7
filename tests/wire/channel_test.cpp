#include "wire/channel.hpp"

#include "tests/support/allocations.hpp"
#include "tests/support/socket_pair.hpp"
#include "tests/support/toy_protocol.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <gtest/gtest.h>

namespace {

using codecs::errc;
using namespace std::chrono_literals;

std::vector<std::uint8_t> text(std::string_view value) {
  return {value.begin(), value.end()};
}

/// A client's channel whose peer sends `reply`, whatever it is asked, in pieces of `step` bytes, then closes.
struct scripted {
  scripted(std::vector<std::uint8_t> reply, std::size_t step, wire::watchdog* dog = nullptr)
      : channel(wire::make_socket_transport(pair.take_client()), dog) {
    pair.serve([reply = std::move(reply), step](int fd) {
      std::uint8_t request[256];
      ASSERT_GT(::recv(fd, request, sizeof request, 0), 0);
      for (std::size_t sent = 0; sent < reply.size(); sent += step) {
        ::send(fd, reply.data() + sent, std::min(step, reply.size() - sent), MSG_NOSIGNAL);
        if (step == 1) std::this_thread::sleep_for(1ms);
      }
    });
  }

  tests::socket_pair pair;
  wire::channel channel;
};

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
  for (int i = 0; i < 10; ++i) ASSERT_FALSE(channel.run(op));
  const auto before = tests::allocations();
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(channel.run(op));
  EXPECT_EQ(tests::allocations() - before, 0u);
}

// Case C39: 40 chunks as prefix, payload and suffix, and a header. All pieces are large enough to be
// borrowed.
TEST(Channel, SendsTheWholeGatherListInOneSystemCall) {
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
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

TEST(Channel, SplitsAGatherListThatPassesTheKernelsLimit) {
  tests::socket_pair pair;
  pair.shrink(8 * 1024 * 1024);
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  pair.serve([](int fd) {
    tests::toy_conversation echo;
    wire::channel peer(wire::make_socket_transport(::dup(fd)));
    peer.serve(echo);
  });
  const std::vector<std::uint8_t> piece(1024, 'x');
  tests::toy_exchange op(piece, 1500, 1);  // 1,501 segments, IOV_MAX is 1,024
  ASSERT_FALSE(channel.run(op)) << channel.why();
  EXPECT_GE(channel.counters().writes, 2u);
  EXPECT_EQ(op.reply_bytes, 4 + 1500 * 1024u);
}

// Case C29: everything is written before the first read, and neither side's buffers hold it.
TEST(Channel, ReadsWhileItWrites) {
  tests::socket_pair pair;
  pair.shrink(64 * 1024);
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  pair.serve([](int fd) {
    tests::toy_conversation echo;
    wire::channel peer(wire::make_socket_transport(::dup(fd)));
    peer.serve(echo);
  });
  const std::vector<std::uint8_t> piece(8192, 'x');
  tests::toy_exchange op(piece, 1, 2000);
  ASSERT_FALSE(channel.run(op)) << channel.why();
  EXPECT_EQ(op.replies, 2000u);
  EXPECT_GT(channel.counters().polls, 0u);
}

// Case C19: the same result for every cut.
TEST(Channel, UnderstandsAReplyThatArrivesByteByByte) {
  scripted peer(text(std::string("\x0c\0\0\0pingpong", 12)), 1);
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  ASSERT_FALSE(peer.channel.run(op)) << peer.channel.why();
  EXPECT_EQ(op.reply_bytes, 12u);
  EXPECT_EQ(peer.channel.counters().frames_in, 1u);
}

TEST(Channel, NamesAHangUpAtEveryByte) {
  const auto reply = text(std::string("\x0c\0\0\0pingpong", 12));
  for (std::size_t cut = 0; cut < reply.size(); ++cut) {
    scripted peer({reply.begin(), reply.begin() + static_cast<std::ptrdiff_t>(cut)}, 64);
    const auto piece = text("ping");
    tests::toy_exchange op(piece, 1, 1);
    EXPECT_EQ(peer.channel.run(op), errc::remote_hang_up) << cut;
    EXPECT_FALSE(peer.channel.usable());
    EXPECT_EQ(peer.channel.run(op), errc::local_wrong_state);
  }
}

TEST(Channel, StaysUsableAfterAServersError) {
  scripted peer(text(std::string("\x08\0\0\0!no\n\x08\0\0\0good", 16)), 64);
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_EQ(peer.channel.run(op), errc::remote_server_error);
  EXPECT_EQ(peer.channel.why(), "the server answered with an error: no\n");
  EXPECT_TRUE(peer.channel.usable());
}

TEST(Channel, ClosesAfterAProtocolErrorAndNamesTheField) {
  scripted peer(text(std::string("\x08\0\0\0?abc", 8)), 64);
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_EQ(peer.channel.run(op), errc::remote_bad_value);
  EXPECT_EQ(peer.channel.why(), "the peer sent an undefined value (toy payload)");
  EXPECT_FALSE(peer.channel.usable());
}

TEST(Channel, RefusesAnImpossibleLengthOnTheHeaderAlone) {
  scripted peer(text("\xff\xff\xff\xff"), 64);
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_EQ(peer.channel.run(op), errc::remote_bad_length);
  EXPECT_EQ(peer.channel.why(), "the peer sent an impossible length (toy length)");
}

TEST(Channel, GivesUpOnAPeerThatNeverAnswers) {
  wire::watchdog dog(50ms);
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()), &dog);
  pair.serve([](int fd) {
    std::uint8_t byte;
    while (::recv(fd, &byte, 1, 0) > 0) continue;
  });
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_EQ(channel.run(op), errc::remote_timeout);
  EXPECT_EQ(channel.why(), "the peer did not answer in time");
}

TEST(Channel, PeerClosesWhenTheConversationDoes) {
  wire::channel channel(wire::make_memory_transport(std::make_unique<tests::toy_conversation>()));
  const auto bye = text("bye");
  tests::toy_exchange op(bye, 1, 1);
  EXPECT_FALSE(channel.run(op));
  EXPECT_EQ(channel.run(op), errc::remote_hang_up);
}

}  // namespace
