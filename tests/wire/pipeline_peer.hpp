#pragma once
// What tests of pipelines share: payload, its sum, and a connection to a peer.

#include "wire/channel.hpp"
#include "wire/strategy/digest_sink.hpp"

#include "tests/support/socket_pair.hpp"

#include <unistd.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace tests {

inline std::vector<std::uint8_t> random_bytes(std::size_t size) {
  std::mt19937 random(11);
  std::vector<std::uint8_t> bytes(size);
  std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
  return bytes;
}

inline std::string sha256(codecs::bytes_view bytes) {
  wire::digest_sink sink;
  sink.put(bytes);
  return sink.sha256();
}

/// A connection to a peer that serves `conversation`.
struct connected {
  explicit connected(codecs::conversation& conversation,
                     wire::receive_strategy how = wire::receive_strategy::store,
                     socket_pair::kind over = socket_pair::kind::unix_socket)
      : pair(over), channel(wire::make_socket_transport(pair.take_client())) {
    pair.serve([&conversation, how](int fd) {
      wire::channel peer(wire::make_socket_transport(::dup(fd)));
      peer.receive_by(how);
      peer.serve(conversation);
    });
  }

  socket_pair pair;
  wire::channel channel;
};

}  // namespace tests
