#include "wire/connect.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <future>
#include <thread>
#include <vector>

namespace wire {
namespace {

namespace asio = boost::asio;
using clock = std::chrono::steady_clock;

/// errno, or 0, of a socket whose connection is under way.
int finish(int fd, clock::time_point deadline) {
  pollfd poll{fd, POLLOUT, 0};
  int ready = 0;
  do {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now()).count();
    ready = ::poll(&poll, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? errno : error;
}

int establish(int fd, const sockaddr* address, std::size_t size, clock::time_point deadline) {
  while (::connect(fd, address, static_cast<socklen_t>(size)) < 0) {
    if (errno == EINPROGRESS) return finish(fd, deadline);
    if (errno != EAGAIN) return errno;
    if (clock::now() >= deadline) return ETIMEDOUT;  // a UNIX socket whose backlog is full
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return 0;
}

/// Not by Asio: a reactor of its own for every connection would cost more than the connection.
template <typename Address>
connected connect_to(const Address& address, clock::time_point deadline, nagle delay) {
  const int fd = ::socket(address.protocol().family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int error = fd < 0 ? errno : establish(fd, address.data(), address.size(), deadline);
  if (error == 0) return {make_socket_transport(fd, delay), {}};
  if (fd >= 0) ::close(fd);
  if (error == ETIMEDOUT) return {nullptr, make_error_code(codecs::errc::remote_timeout)};
  return {nullptr, {error, boost::system::system_category()}};
}

struct looked_up {
  std::vector<asio::ip::tcp::endpoint> addresses;  ///< in the resolver's order
  codecs::error_code error;
};

looked_up resolve(const std::string& host, std::uint16_t port) {
  looked_up found;
  asio::io_context context(1);
  asio::ip::tcp::resolver resolver(context);
  for (const auto& each : resolver.resolve(host, std::to_string(port), found.error))
    found.addresses.push_back(each.endpoint());
  return found;
}

/// The resolver of the C library waits as long as it likes and cannot be told to stop. A name is therefore looked up in a
/// thread of its own, which is left alone when it takes too long.
looked_up look_up(const std::string& host, std::uint16_t port, clock::time_point deadline) {
  codecs::error_code is_name;
  const auto address = asio::ip::make_address(host, is_name);
  if (!is_name) return {{{address, port}}, {}};
  std::packaged_task<looked_up()> task([host, port] { return resolve(host, port); });
  auto found = task.get_future();
  std::thread(std::move(task)).detach();
  if (found.wait_until(deadline) != std::future_status::ready)
    return {{}, make_error_code(codecs::errc::remote_timeout)};
  return found.get();
}

}  // namespace

connected connect(const endpoint& to, std::chrono::milliseconds timeout, nagle delay) {
  if (to.is_unix()) {
    constexpr std::size_t longest_path = 107;  // sun_path, its NUL left out
    if (to.path.size() > longest_path)
      return {nullptr, make_error_code(boost::system::errc::filename_too_long)};
    return connect_to(asio::local::stream_protocol::endpoint(to.path), clock::now() + timeout, delay);
  }
  const auto deadline = clock::now() + timeout;
  const auto found = look_up(to.host, to.port, deadline);
  connected last{nullptr, found.error};
  for (const auto& each : found.addresses) {
    last = connect_to(each, deadline, delay);
    if (last.transport) break;
  }
  return last;
}

}  // namespace wire
