#pragma once
// Opening the socket of a client's channel.

#include "wire/endpoint.hpp"
#include "wire/transport.hpp"

#include <chrono>
#include <memory>

namespace wire {

struct connected {
  std::unique_ptr<wire::transport> transport;  ///< null on error
  codecs::error_code error;
};

/// Connects over TCP or a UNIX socket. `timeout` bounds the whole attempt, the look-up of a name included, and ends as
/// errc::remote_timeout.
connected connect(const endpoint& to, std::chrono::milliseconds timeout, nagle delay = nagle::off);

}  // namespace wire
