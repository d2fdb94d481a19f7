// A channel that serves and does not keep what nobody looks at: over TCP, because a UNIX socket cannot discard.

#include "wire/channel.hpp"

#include "tests/support/socket_pair.hpp"
#include "tests/support/toy_protocol.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <unistd.h>

#include <cerrno>
#include <future>
#include <optional>

namespace {

using wire::receive_strategy;

/// Looks at the first byte behind a frame's length and at its last one. Everything between them is payload.
class skimming_conversation final : public codecs::conversation {
 public:
  codecs::scan_result scan(codecs::bytes_view unread) const override { return tests::toy_scan(unread); }

  codecs::appetite skim(codecs::bytes_view unread) const override {
    using codecs::appetite;
    if (unread.size() < 5) return appetite::more(5 - unread.size());
    const std::size_t end = codecs::load_le<std::uint32_t>(unread.data());
    const bool payload = end > appetite::kept_bytes && unread.size() < end - 1;
    return payload ? appetite::without(end - 1 - unread.size()) : appetite::more(end - unread.size());
  }

  codecs::answer on_frame(codecs::bytes_view frame, codecs::send_buffer& out) override {
    EXPECT_EQ(frame[4], '<');
    EXPECT_EQ(frame.back(), '>');
    codecs::writer reply(out);
    reply.le(std::int32_t{5});
    reply.u8('.');
    EXPECT_FALSE(reply.finish());
    sent_frames(1);
    return codecs::answer::reply;
  }
};

/// What the peer's channel counts when it is sent `frames` frames of `size` bytes one behind the other.
wire::channel_counters received(receive_strategy how, std::size_t size, std::size_t frames) {
  tests::socket_pair pair(tests::socket_pair::kind::tcp);
  std::optional<wire::channel> client(std::in_place, wire::make_socket_transport(pair.take_client()));
  wire::channel_counters counted;
  std::promise<void> served;
  pair.serve([&](int fd) {
    skimming_conversation peer_side;
    wire::channel channel(wire::make_socket_transport(::dup(fd)));
    channel.receive_by(how);
    EXPECT_FALSE(channel.serve(peer_side));
    counted = channel.counters();
    served.set_value();
  });
  std::vector<std::uint8_t> piece(size - 4, 'x');
  piece.front() = '<';
  piece.back() = '>';
  tests::toy_exchange op(piece, 1, frames);
  EXPECT_FALSE(client->run(op)) << client->why();
  EXPECT_EQ(op.replies, frames);
  client.reset();
  served.get_future().wait();
  EXPECT_EQ(counted.frames_in, frames);
  EXPECT_EQ(counted.bytes_in, frames * size);
  return counted;
}

constexpr std::size_t large = 256 * 1024;
constexpr std::size_t frames = 50;

TEST(ReceiveStrategy, StoreKeepsEverything) {
  EXPECT_EQ(received(receive_strategy::store, large, frames).bytes_skipped, 0u);
}

/// What is kept of a frame is what came with its head, and its last byte.
TEST(ReceiveStrategy, DiscardKeepsAHeadOfAFewBytes) {
  const auto counted = received(receive_strategy::discard, large, frames);
  EXPECT_GE(counted.bytes_skipped, frames * (large - codecs::appetite::head_bytes - 1));
  EXPECT_LE(counted.bytes_skipped, frames * (large - 5 - 1));
}

TEST(ReceiveStrategy, DrainReadsAheadNoFurtherThanIsKept) {
  const auto counted = received(receive_strategy::drain, large, frames);
  EXPECT_GE(counted.bytes_skipped, frames * (large - codecs::appetite::kept_bytes - 1));
  EXPECT_LE(counted.bytes_skipped, frames * (large - 5 - 1));
}

TEST(ReceiveStrategy, NoneSkipsSmallFrames) {
  for (const auto how : {receive_strategy::store, receive_strategy::drain, receive_strategy::discard}) {
    EXPECT_EQ(received(how, 16'000, frames).bytes_skipped, 0u);
  }
}

TEST(ReceiveStrategy, AUnixSocketCannotDiscard) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const auto transport = wire::make_socket_transport(ends[0]);
  ASSERT_EQ(::send(ends[1], "payload", 7, 0), 7);
  EXPECT_EQ(transport->discard_some(7).error, EFAULT);
  ::close(ends[1]);
}

}  // namespace
