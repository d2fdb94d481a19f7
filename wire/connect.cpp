#include "wire/connect.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

namespace wire {
namespace {

namespace asio = boost::asio;

/// Runs one asynchronous connect for at most `timeout`; the socket that comes back is an ordinary descriptor.
template <typename Socket, typename Start>
connected finish(asio::io_context& context, Socket& socket, std::chrono::milliseconds timeout, Start start) {
  codecs::error_code outcome = make_error_code(codecs::errc::remote_timeout);
  start([&outcome](const codecs::error_code& error, auto&&...) { outcome = error; });
  context.run_for(timeout);
  if (outcome) return {nullptr, outcome};
  return {make_socket_transport(socket.release(outcome)), outcome};
}

}  // namespace

connected connect(const endpoint& to, std::chrono::milliseconds timeout) {
  asio::io_context context(1);
  if (to.is_unix()) {
    constexpr std::size_t longest_path = 107;  // sun_path, its NUL left out
    if (to.path.size() > longest_path)
      return {nullptr, make_error_code(boost::system::errc::filename_too_long)};
    asio::local::stream_protocol::socket socket(context);
    return finish(context, socket, timeout, [&](auto handler) {
      socket.async_connect(asio::local::stream_protocol::endpoint(to.path), handler);
    });
  }
  codecs::error_code error;
  asio::ip::tcp::resolver resolver(context);
  const auto addresses = resolver.resolve(to.host, std::to_string(to.port), error);
  if (error) return {nullptr, error};
  asio::ip::tcp::socket socket(context);
  return finish(context, socket, timeout,
                [&](auto handler) { asio::async_connect(socket, addresses, handler); });
}

}  // namespace wire
