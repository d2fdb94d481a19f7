// Ops as exchanges with a peer of the tests' own: several in flight, and on a reactor.

#include "bench/load/runner.hpp"

#include "tests/bench/bare_peer.hpp"
#include "tests/bench/load/toy_run.hpp"
#include "tests/wire/reactor.hpp"
#include "tests/wire/toy_peer.hpp"

#include <gtest/gtest.h>

namespace bench::load {
namespace {

/// Of so many ops without a warm-up.
plan plan_of(std::uint64_t count) {
  static const bare_peer peer;
  plan made;
  made.mix = {{"op"}};
  made.served_by = &peer;
  made.warm_up_ns = 0;
  made.count = count;
  return made;
}

/// Answers, but for the third request, to which it sends what no client understands.
class breaks_off final : public codecs::conversation {
 public:
  codecs::scan_result scan(codecs::bytes_view unread) const override { return tests::toy_scan(unread); }

  codecs::answer on_frame(codecs::bytes_view frame, codecs::send_buffer& out) override {
    static constexpr std::uint8_t nonsense[] = {5, 0, 0, 0, '?'};
    codecs::writer reply(out);
    reply.bytes(++seen_ == 3 ? codecs::bytes_view(nonsense) : frame);
    reply.finish();
    return codecs::answer::reply;
  }

 private:
  int seen_ = 0;
};

/// Four are in flight when the third one breaks the stream: the third to the sixth.
TEST(load_exchanges, every_op_in_flight_has_failed_when_the_stream_breaks) {
  tests::socket_pair pair;
  pair.serve([](int fd) {
    breaks_off conversation;
    wire::channel(wire::make_socket_transport(::dup(fd))).serve(conversation);
  });
  auto asked = plan_of(100);
  asked.pipeline = 4;
  asked.open = [&pair]() -> absl::StatusOr<session> { return toy_session(pair, 4); };
  const auto came = run(asked);
  EXPECT_EQ(came.status.code(), absl::StatusCode::kDataLoss) << came.status;
  EXPECT_EQ(came.measured.load->ops, 2U);
  EXPECT_EQ(came.measured.load->failed_ops, 4U);
}

/// A reactor waits and calls for many ops at a time: what channels count are not its calls.
TEST(load_exchanges, system_calls_are_told_of_blocking_io_alone) {
  SKIP_WITHOUT_REACTOR();
  for (const auto io : {wire::loop::kind::blocking, wire::loop::kind::reactor}) {
    tests::socket_pair pair;
    pair.serve(tests::echo);
    auto asked = plan_of(10);
    asked.io = io;
    asked.open = [&pair]() -> absl::StatusOr<session> { return toy_session(pair); };
    const auto came = run(asked);
    EXPECT_EQ(came.measured.load->ops, 10U) << came.status;
    EXPECT_EQ(came.measured.per_op.bytes_out, 8);
    EXPECT_EQ(came.measured.per_op.syscalls.has_value(), io == wire::loop::kind::blocking);
  }
}

}  // namespace
}  // namespace bench::load
