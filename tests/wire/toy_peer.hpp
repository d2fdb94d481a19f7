#pragma once
// The other side of the toy protocol, and what is said to it.

#include "wire/channel.hpp"

#include "tests/support/toy_protocol.hpp"

#include <unistd.h>

#include <string_view>
#include <vector>

namespace tests {

inline std::vector<std::uint8_t> text(std::string_view value) {
  return {value.begin(), value.end()};
}

/// A peer that echoes until the client hangs up.
inline void echo(int fd) {
  tests::toy_conversation conversation;
  wire::channel peer(wire::make_socket_transport(::dup(fd)));
  peer.serve(conversation);
}

}  // namespace tests
