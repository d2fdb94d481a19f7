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
  EXPECT_EQ(channel.counters().turns, 100u);
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

/// A kernel that takes little at a time, and a peer that echoes at once: there is always something unsent.
class sipping_transport final : public wire::transport {
 public:
  wire::io_result write_some(std::span<const iovec> segments) override {
    longest_list = std::max(longest_list, segments.size());
    if (std::exchange(full_, !full_)) return {0, EAGAIN};
    iovec sip = segments[0];
    sip.iov_len = std::min<std::size_t>(sip.iov_len, 1500);
    return peer_->write_some({&sip, 1});
  }
  wire::io_result read_some(codecs::bytes_span to) override { return peer_->read_some(to); }
  wire::io_result read_now(codecs::bytes_span to) override {
    const auto got = peer_->read_some(to);
    return got.bytes == 0 ? wire::io_result{0, EAGAIN} : got;
  }
  readiness wait(bool) override { return {true, true, 0}; }
  void shutdown() noexcept override {}
  int native_handle() const override { return -1; }

  std::size_t longest_list = 0;

 private:
  std::unique_ptr<wire::transport> peer_ =
      wire::make_memory_transport(std::make_unique<tests::toy_conversation>());
  bool full_ = false;
};

/// Keeps eight frames in flight until it has sent enough of them.
class streaming_exchange final : public codecs::exchange {
 public:
  streaming_exchange(codecs::bytes_view piece, int frames) : piece_(piece), left_(frames) {}

  codecs::progress start(codecs::send_buffer& out) override {
    while (in_flight_ < 8) send(out);
    return codecs::progress::more;
  }
  codecs::scan_result scan(codecs::bytes_view unread) const override { return tests::toy_scan(unread); }
  codecs::progress on_frame(codecs::bytes_view, codecs::send_buffer& out) override {
    --in_flight_;
    if (left_ != 0) send(out);
    longest_unsent = std::max(longest_unsent, out.size());
    return in_flight_ == 0 ? codecs::progress::done : codecs::progress::more;
  }

  std::size_t longest_unsent = 0;

 private:
  void send(codecs::send_buffer& out) {
    codecs::writer frame(out);
    const auto length = frame.begin_length();
    frame.refer(piece_);
    frame.end_le(length);
    EXPECT_FALSE(frame.finish());
    ++in_flight_;
    --left_;
  }

  codecs::bytes_view piece_;
  int left_;
  int in_flight_ = 0;
};

/// What is sent is forgotten at once: neither the buffer nor the list of a write grows with what went before.
TEST(Channel, HoldsWhatIsUnsentAndNoMore) {
  auto transport = std::make_unique<sipping_transport>();
  const auto& sipping = *transport;
  wire::channel channel(std::move(transport), std::make_unique<wire::gather_buffer>(8 * 2004),
                        std::make_unique<wire::staged_buffer>(), nullptr);
  const std::vector<std::uint8_t> piece(2000, 'x');
  streaming_exchange op(piece, 5000);
  ASSERT_FALSE(channel.run(op)) << channel.why();
  EXPECT_EQ(channel.counters().bytes_out, 5000 * 2004u);
  EXPECT_EQ(sipping.longest_list, 16u);
  EXPECT_LE(op.longest_unsent, 8 * 2004u);
  EXPECT_GT(op.longest_unsent, 6 * 2004u) << "it ran empty";
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
