// What running an exchange means, whoever does it: the channel itself, or a loop of either kind.

#include "codecs/window.hpp"

#include "wire/async_channel.hpp"

#include "tests/support/allocations.hpp"
#include "tests/support/socket_pair.hpp"
#include "tests/wire/reactor.hpp"
#include "tests/wire/toy_peer.hpp"

#include <gtest/gtest.h>

#include <poll.h>

namespace {

using codecs::errc;
using wire::loop;
using namespace std::chrono_literals;
using tests::echo;
using tests::text;

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

wire::task run_one(wire::async_channel& channel, codecs::exchange& op, wire::error_code& outcome) {
  outcome = co_await channel.async_run(op);
}

class Exchange : public testing::TestWithParam<loop::kind> {
 protected:
  void SetUp() override {
    if (GetParam() == loop::kind::reactor) SKIP_WITHOUT_REACTOR();
  }

  static wire::error_code run(wire::channel& channel, codecs::exchange& op) {
    loop owner(GetParam());
    wire::async_channel async(owner, channel);
    wire::error_code outcome;
    owner.spawn(run_one(async, op, outcome));
    owner.run();
    return outcome;
  }
};

TEST_P(Exchange, SplitsAGatherListThatPassesTheKernelsLimit) {
  tests::socket_pair pair;
  pair.shrink(8 * 1024 * 1024);
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  pair.serve(echo);
  const std::vector<std::uint8_t> piece(1024, 'x');
  tests::toy_exchange op(piece, 1500, 1);  // 1,501 segments, IOV_MAX is 1,024
  ASSERT_FALSE(run(channel, op)) << channel.why();
  EXPECT_GE(channel.counters().writes, 2u);
  EXPECT_EQ(op.reply_bytes, 4 + 1500 * 1024u);
}

// Case C29: everything is written before the first read, and neither side's buffers hold it.
TEST_P(Exchange, ReadsWhileItWrites) {
  tests::socket_pair pair;
  pair.shrink(64 * 1024);
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  pair.serve(echo);
  const std::vector<std::uint8_t> piece(8192, 'x');
  tests::toy_exchange op(piece, 1, 2000);
  ASSERT_FALSE(run(channel, op)) << channel.why();
  EXPECT_EQ(op.replies, 2000u);
  EXPECT_GT(channel.counters().writes, 1u);
}

/// Gives toy exchanges to a window, each as often as its turn comes.
struct toy_source final : codecs::window_source {
  toy_source(codecs::bytes_view piece, std::size_t depth, int count) : left(count) {
    for (std::size_t i = 0; i < depth; ++i) slots.emplace_back(piece, 1, 1);
  }
  codecs::exchange* next() override {
    if (left == 0) return nullptr;
    --left;
    return &slots[given++ % slots.size()];
  }
  void completed(codecs::exchange& op, codecs::progress how) override {
    EXPECT_EQ(&op, &slots[done++ % slots.size()]);
    EXPECT_EQ(how, codecs::progress::done);
    if (done == 1000) warm = tests::allocations();
    if (left == 0 && done == given) allocated = tests::allocations() - warm;
  }

  std::vector<tests::toy_exchange> slots;
  int left;
  std::size_t given = 0;
  std::size_t done = 0;
  std::uint64_t warm = 0;
  std::uint64_t allocated = 0;  // from the 1,000th op to the last
};

TEST_P(Exchange, KeepsAWindowInFlight) {
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  pair.serve(echo);
  const auto piece = text("ping");
  toy_source source(piece, 8, 4000);
  codecs::window window(8, source);
  ASSERT_FALSE(run(channel, window)) << channel.why();
  EXPECT_EQ(source.done, 4000u);
  EXPECT_EQ(channel.counters().frames_out, 4000u);
  EXPECT_EQ(channel.counters().frames_in, 4000u);
  EXPECT_EQ(channel.counters().bytes_in, channel.counters().bytes_out);
  EXPECT_LT(channel.counters().writes, 4000u);
  EXPECT_EQ(source.allocated, 0u);
}

// Replies come, and are answered by further requests, while the peer takes nothing.
TEST_P(Exchange, KeepsAWindowInFlightThatNoBufferHolds) {
  tests::socket_pair pair;
  pair.shrink(4 * 1024);
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  pair.serve(echo);
  const std::vector<std::uint8_t> piece(1000, 'x');
  toy_source source(piece, 100, 4000);
  codecs::window window(100, source);
  ASSERT_FALSE(run(channel, window)) << channel.why();
  EXPECT_EQ(source.done, 4000u);
  EXPECT_EQ(channel.counters().bytes_out, 4000u * 1004);
  EXPECT_EQ(channel.counters().bytes_in, 4000u * 1004);
}

// A frame that came after the end of the last op and before the next.
TEST_P(Exchange, TakesWhatIsThereAlready) {
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  pair.serve([](int fd) {
    std::uint8_t request[64];
    ::recv(fd, request, sizeof request, 0);
    ::send(fd, "\x08\0\0\0good\x09\0\0\0again", 17, MSG_NOSIGNAL);
    while (::recv(fd, request, sizeof request, 0) > 0) continue;
  });
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  ASSERT_FALSE(run(channel, op));
  EXPECT_EQ(op.reply_bytes, 8u);
  ASSERT_FALSE(run(channel, op));
  EXPECT_EQ(op.reply_bytes, 9u);
  EXPECT_EQ(channel.counters().reads, 1u);
}

/// Sends and expects nothing back.
class one_way_exchange final : public codecs::exchange {
 public:
  explicit one_way_exchange(codecs::bytes_view payload) : payload_(payload) {}
  codecs::progress start(codecs::send_buffer& out) override {
    out.refer(payload_);
    sent_frames(1);
    return codecs::progress::done;
  }
  codecs::scan_result scan(codecs::bytes_view unread) const override { return tests::toy_scan(unread); }
  codecs::progress on_frame(codecs::bytes_view, codecs::send_buffer&) override {
    return fail(errc::remote_unexpected_message, "toy");
  }

 private:
  codecs::bytes_view payload_;
};

TEST_P(Exchange, EndsWithoutAReplyOnceAllIsSent) {
  tests::socket_pair pair;
  pair.shrink(4 * 1024);
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  std::size_t taken = 0;
  pair.serve([&](int fd) {
    std::uint8_t some[4096];
    while (taken < 100'000) {
      const auto got = ::recv(fd, some, std::min(sizeof some, 100'000 - taken), 0);
      if (got <= 0) return;
      taken += static_cast<std::size_t>(got);
    }
    echo(fd);
  });
  const std::vector<std::uint8_t> payload(100'000, 'x');
  one_way_exchange farewell(payload);
  ASSERT_FALSE(run(channel, farewell)) << channel.why();
  EXPECT_EQ(channel.counters().bytes_out, 100'000u);
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  ASSERT_FALSE(run(channel, op)) << channel.why();
  EXPECT_EQ(op.reply_bytes, 8u);
  EXPECT_EQ(taken, 100'000u);
}

/// Replies to a request that does not fit into the sockets, and reads no further.
void reply_early(tests::socket_pair& pair, const char* frame) {
  pair.shrink(4 * 1024);
  pair.serve([frame](int fd) {
    std::uint8_t byte;
    ::recv(fd, &byte, 1, 0);
    ::send(fd, frame, 8, MSG_NOSIGNAL);
    pollfd hang_up{fd, POLLRDHUP, 0};
    ::poll(&hang_up, 1, -1);
  });
}

TEST_P(Exchange, RefusesAReplyBeforeTheRequestsEnd) {
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  reply_early(pair, "\x08\0\0\0good");
  const std::vector<std::uint8_t> piece(1'000'000, 'x');
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_EQ(run(channel, op), errc::remote_unexpected_message);
  EXPECT_EQ(channel.why(), "the peer sent a message that has no place here (reply before the request's end)");
  EXPECT_FALSE(channel.usable());
}

// The rest of the request will never be sent, so that a server's error, too, ends the connection.
TEST_P(Exchange, ClosesAfterAServersErrorBeforeTheRequestsEnd) {
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  reply_early(pair, "\x08\0\0\0!no\n");
  const std::vector<std::uint8_t> piece(1'000'000, 'x');
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_EQ(run(channel, op), errc::remote_server_error);
  EXPECT_FALSE(channel.usable());
}

// Case C19: the same result for every cut.
TEST_P(Exchange, UnderstandsAReplyThatArrivesByteByByte) {
  scripted peer(text(std::string("\x0c\0\0\0pingpong", 12)), 1);
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  ASSERT_FALSE(run(peer.channel, op)) << peer.channel.why();
  EXPECT_EQ(op.reply_bytes, 12u);
  EXPECT_EQ(peer.channel.counters().frames_in, 1u);
}

TEST_P(Exchange, NamesAHangUpAtEveryByte) {
  const auto reply = text(std::string("\x0c\0\0\0pingpong", 12));
  for (std::size_t cut = 0; cut < reply.size(); ++cut) {
    scripted peer({reply.begin(), reply.begin() + static_cast<std::ptrdiff_t>(cut)}, 64);
    const auto piece = text("ping");
    tests::toy_exchange op(piece, 1, 1);
    EXPECT_EQ(run(peer.channel, op), errc::remote_hang_up) << cut;
    EXPECT_FALSE(peer.channel.usable());
    EXPECT_EQ(run(peer.channel, op), errc::local_wrong_state);
  }
}

TEST_P(Exchange, StaysUsableAfterAServersError) {
  scripted peer(text(std::string("\x08\0\0\0!no\n\x08\0\0\0good", 16)), 64);
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_EQ(run(peer.channel, op), errc::remote_server_error);
  EXPECT_EQ(peer.channel.why(), "the server answered with an error: no\n");
  EXPECT_TRUE(peer.channel.usable());
}

TEST_P(Exchange, ClosesAfterAProtocolErrorAndNamesTheField) {
  scripted peer(text(std::string("\x08\0\0\0?abc", 8)), 64);
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_EQ(run(peer.channel, op), errc::remote_bad_value);
  EXPECT_EQ(peer.channel.why(), "the peer sent an undefined value (toy payload)");
  EXPECT_FALSE(peer.channel.usable());
}

TEST_P(Exchange, RefusesAnImpossibleLengthOnTheHeaderAlone) {
  scripted peer(text("\xff\xff\xff\xff"), 64);
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_EQ(run(peer.channel, op), errc::remote_bad_length);
  EXPECT_EQ(peer.channel.why(), "the peer sent an impossible length (toy length)");
}

TEST_P(Exchange, GivesUpOnAPeerThatNeverAnswers) {
  wire::watchdog dog(50ms);
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()), &dog);
  pair.serve([](int fd) {
    std::uint8_t byte;
    while (::recv(fd, &byte, 1, 0) > 0) continue;
  });
  const auto piece = text("ping");
  tests::toy_exchange op(piece, 1, 1);
  EXPECT_EQ(run(channel, op), errc::remote_timeout);
  EXPECT_EQ(channel.why(), "the peer did not answer in time");
}

INSTANTIATE_TEST_SUITE_P(by, Exchange, testing::Values(loop::kind::blocking, loop::kind::reactor),
                         [](const auto& kind) {
                           return std::string(
                               kind.param == loop::kind::blocking ? "blocking" : wire::loop::reactor_name());
                         });

}  // namespace
