#pragma once
// A server of the test's own that behaves badly, as a thread.

#include "tests/fixtures/bare_client.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>

namespace tests {

/// Serves one connection after the other; each is closed when its turn ends.
class fake_server {
 public:
  /// `turn` gets what the client said first and the connection; it is called once per connection.
  using turn = std::function<void(const std::string& request, int fd)>;

  explicit fake_server(turn behave) : behave_(std::move(behave)), socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    ::bind(socket_.get(), any, size);
    ::listen(socket_.get(), 16);
    ::getsockname(socket_.get(), any, &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }

  ~fake_server() {
    ::shutdown(socket_.get(), SHUT_RDWR);  // wakes accept()
    thread_.join();
  }

  int port() const { return port_; }
  std::string mongo_uri() const { return "mongodb://127.0.0.1:" + std::to_string(port_) + "/"; }
  std::string pg_uri() const { return "postgresql://u@127.0.0.1:" + std::to_string(port_) + "/d"; }

 private:
  void serve() const {
    for (;;) {
      const fixtures::descriptor client(::accept(socket_.get(), nullptr, nullptr));
      if (client.get() < 0) return;
      char request[4096];
      const auto got = ::recv(client.get(), request, sizeof request, 0);
      if (got > 0) behave_({request, static_cast<std::size_t>(got)}, client.get());
    }
  }

  turn behave_;
  fixtures::descriptor socket_;
  int port_ = 0;
  std::thread thread_;
};

inline void say(int fd, const std::string& bytes) {
  ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

/// Keeps the connection open, in silence, until the client goes.
inline void wait_for_hang_up(int fd) {
  char ignored[4096];
  while (::recv(fd, ignored, sizeof ignored, 0) > 0) {
  }
}

}  // namespace tests
