#pragma once
// One op over the toy protocol, as a connection of a tight loop has it.

#include "bench/load/plan.hpp"

#include "tests/support/socket_pair.hpp"
#include "tests/support/toy_protocol.hpp"

#include <memory>

namespace bench::load {

/// Sends "ping" and takes any reply.
class toy_op final : public workloads::raw_workload {
 public:
  /// All ops of a connection share its channel.
  explicit toy_op(std::shared_ptr<wire::channel> channel)
      : raw_workload(*channel), channel_(std::move(channel)) {}

  codecs::exchange& next_op() override { return exchange_; }

 private:
  static constexpr std::uint8_t ping_[] = {'p', 'i', 'n', 'g'};

  std::shared_ptr<wire::channel> channel_;
  tests::toy_exchange exchange_{ping_, 1, 1};
};

/// `copies` of that op on the client's end of `pair`; to be opened once.
inline session toy_session(tests::socket_pair& pair, std::size_t copies = 1) {
  const auto channel = std::make_shared<wire::channel>(wire::make_socket_transport(pair.take_client()));
  session made;
  for (std::size_t i = 0; i < copies; ++i) {
    auto op = std::make_unique<toy_op>(channel);
    made.exchanges.push_back(op.get());
    made.ops.push_back(std::move(op));
  }
  return made;
}

}  // namespace bench::load
