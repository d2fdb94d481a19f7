#pragma once
// A relay that cuts a stream into segments of one size (case C19). Towards the server a segment is one send(2)
// with TCP_NODELAY. Towards the client it is one record of a SOCK_SEQPACKET socket, which the kernel never joins
// with the next one as it does on TCP: one read brings one segment, so a test can count that the cuts arrived.

#include "tests/integration/connection.hpp"

#include <sys/socket.h>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

namespace tests {

class relay {
 public:
  relay(const std::string& uri, std::size_t segment_bytes)
      : segment_bytes_(segment_bytes), server_(connect(uri)) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
      throw std::system_error(errno, std::generic_category(), "socketpair");
    }
    client_ = ends[0];
    near_ = ends[1];
    thread_ = std::thread([this] { forward(); });
  }

  /// The client's end must be closed by then: that is what ends the relay.
  ~relay() {
    if (client_ >= 0) ::close(client_);
    thread_.join();
    ::close(near_);
  }
  relay(const relay&) = delete;
  relay& operator=(const relay&) = delete;

  /// The client's end of the connection.
  std::unique_ptr<wire::transport> take_client() {
    return wire::make_socket_transport(std::exchange(client_, -1));
  }

 private:
  void forward() const {
    const int far = server_->native_handle();
    std::array<pollfd, 2> ends{{{near_, POLLIN, 0}, {far, POLLIN, 0}}};
    while (::poll(ends.data(), ends.size(), -1) > 0) {
      if (ends[0].revents != 0 && !pass(near_, far)) return;
      if (ends[1].revents != 0 && !pass(far, near_)) return;
    }
  }

  /// What has arrived at `from` goes to `to`; false when either side is gone. A record that the client wrote is
  /// as long as its request: read in part, the rest of it would be lost.
  bool pass(int from, int to) const {
    std::array<std::uint8_t, 64 * 1024> arrived;
    const auto got = ::recv(from, arrived.data(), arrived.size(), 0);
    if (got <= 0) return false;
    const auto size = static_cast<std::size_t>(got);
    for (std::size_t sent = 0; sent < size; sent += segment_bytes_) {
      const auto segment = std::min(segment_bytes_, size - sent);
      if (::send(to, arrived.data() + sent, segment, MSG_NOSIGNAL) < 0) return false;
    }
    return true;
  }

  std::size_t segment_bytes_;
  std::unique_ptr<wire::transport> server_;
  int client_ = -1;
  int near_ = -1;
  std::thread thread_;
};

}  // namespace tests
