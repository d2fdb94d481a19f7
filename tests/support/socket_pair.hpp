#pragma once
// Two connected sockets, and a thread that plays the peer on one of them.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <unistd.h>

#include <functional>
#include <thread>

namespace tests {

class socket_pair {
 public:
  enum class kind { unix_socket, tcp };

  explicit socket_pair(kind what = kind::unix_socket) {
    if (what == kind::tcp) {
      connect_over_loopback();
      return;
    }
    int fds[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    client_ = fds[0];
    peer_ = fds[1];
  }
  ~socket_pair() {
    if (client_ >= 0) ::close(client_);
    if (thread_.joinable()) thread_.join();
    if (peer_ >= 0) ::close(peer_);
  }
  socket_pair(const socket_pair&) = delete;
  socket_pair& operator=(const socket_pair&) = delete;

  /// The client's end, which the caller owns from here on. It must be closed before this object goes, because
  /// the peer's thread may wait for that.
  int take_client() { return std::exchange(client_, -1); }

  /// Runs `body` on the peer's end, which is closed when it returns.
  void serve(std::function<void(int fd)> body) {
    thread_ = std::thread([this, body = std::move(body)] {
      body(peer_);
      ::close(std::exchange(peer_, -1));
    });
  }

  /// Both directions of both ends hold little, so that whoever writes much without reading stops.
  void shrink(int bytes) {
    for (const int fd : {client_, peer_}) {
      ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
      ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    }
  }

 private:
  void connect_over_loopback() {
    const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listening, any, size), 0);
    EXPECT_EQ(::listen(listening, 1), 0);
    EXPECT_EQ(::getsockname(listening, any, &size), 0);
    client_ = ::socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_EQ(::connect(client_, any, size), 0);
    peer_ = ::accept(listening, nullptr, nullptr);
    ::close(listening);
  }

  int client_ = -1;
  int peer_ = -1;
  std::thread thread_;
};

}  // namespace tests
