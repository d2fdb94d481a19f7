#include "wire/transport.hpp"

#include "wire/strategy/gather.hpp"
#include "wire/strategy/staged.hpp"
#include "wire/system_call.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace wire {
namespace {

class socket_transport : public transport {
 public:
  socket_transport(int fd, nagle delay) : fd_(fd) {
    ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) & ~O_NONBLOCK);
    const int no_delay = delay == nagle::off ? 1 : 0;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &no_delay,
                 sizeof no_delay);  // refused by UNIX sockets, which have no Nagle
  }
  ~socket_transport() override { ::close(fd_); }

  io_result write_some(std::span<const iovec> segments) override {
    return write(segments, MSG_DONTWAIT | MSG_NOSIGNAL);
  }

  io_result write_more(std::span<const iovec> segments) override {
    return write(segments, MSG_DONTWAIT | MSG_NOSIGNAL | MSG_MORE);
  }

  io_result read_some(codecs::bytes_span to) override {
    return outcome(retry([&] { return ::recv(fd_, to.data(), to.size(), 0); }));
  }

  io_result read_now(codecs::bytes_span to) override {
    return outcome(retry([&] { return ::recv(fd_, to.data(), to.size(), MSG_DONTWAIT); }));
  }

  io_result read_scattered(std::span<const iovec> to, bool waiting) override {
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(to.data());
    message.msg_iovlen = to.size();
    return outcome(retry([&] { return ::recvmsg(fd_, &message, waiting ? 0 : MSG_DONTWAIT); }));
  }

  io_result discard_some(std::size_t size) override {
    return outcome(retry([&] { return ::recv(fd_, nullptr, size, MSG_TRUNC); }));  // tcp(7)
  }

  readiness wait(bool reading) override {
    pollfd poll{fd_, static_cast<short>(POLLOUT | (reading ? POLLIN : 0)), 0};
    if (retry([&] { return ::poll(&poll, 1, -1); }) < 0) return {false, false, errno};
    // An error or a hang-up shows in the next call on the socket, so both directions count as ready.
    const bool broken = (poll.revents & (POLLERR | POLLHUP)) != 0;
    return {broken || (poll.revents & POLLIN) != 0, broken || (poll.revents & POLLOUT) != 0, {}};
  }

  void shutdown() noexcept override { ::shutdown(fd_, SHUT_RDWR); }
  int native_handle() const override { return fd_; }

 private:
  // One segment goes by send(2), which costs less than sendmsg(2): the kernel copies no header and no list.
  io_result write(std::span<const iovec> segments, int flags) const {
    if (segments.size() == 1) {
      return outcome(retry([&] { return ::send(fd_, segments[0].iov_base, segments[0].iov_len, flags); }));
    }
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(segments.data());
    message.msg_iovlen = segments.size();
    return outcome(retry([&] { return ::sendmsg(fd_, &message, flags); }));
  }

  int fd_;
};

/// Writes requests in two pieces. A write that follows a read begins a request.
class nagle_transport final : public socket_transport {
 public:
  explicit nagle_transport(int fd) : socket_transport(fd, nagle::on) {}

  io_result write_some(std::span<const iovec> segments) override {
    if (!std::exchange(at_head_, false)) return socket_transport::write_some(segments);
    constexpr std::size_t head_bytes = 5;  // PostgreSQL's; one of MongoDB is longer, and any cut serves
    const iovec head{segments[0].iov_base, std::min(segments[0].iov_len, head_bytes)};
    return socket_transport::write_some({&head, 1});
  }

  io_result read_some(codecs::bytes_span to) override {
    at_head_ = true;
    return socket_transport::read_some(to);
  }

  io_result read_now(codecs::bytes_span to) override {
    at_head_ = true;
    return socket_transport::read_now(to);
  }

  io_result read_scattered(std::span<const iovec> to, bool waiting) override {
    at_head_ = true;
    return socket_transport::read_scattered(to, waiting);
  }

 private:
  bool at_head_ = true;
};

class memory_transport final : public transport {
 public:
  explicit memory_transport(std::unique_ptr<codecs::conversation> peer) : peer_(std::move(peer)) {}

  io_result write_some(std::span<const iovec> segments) override {
    std::size_t moved = 0;
    for (const auto& segment : segments) {
      auto room = request_.prepare(segment.iov_len);
      if (room.size() < segment.iov_len) return {moved, EMSGSIZE};
      std::copy_n(static_cast<const std::uint8_t*>(segment.iov_base), segment.iov_len, room.data());
      request_.commit(segment.iov_len);
      moved += segment.iov_len;
    }
    return {moved, {}};
  }

  io_result read_some(codecs::bytes_span to) override {
    if (reply_.size() == 0) converse();
    return {deliver(to), {}};
  }

  io_result read_now(codecs::bytes_span to) override { return read_some(to); }
  readiness wait(bool) override { return {true, true, {}}; }
  void shutdown() noexcept override { closed_ = true; }
  int native_handle() const override { return -1; }

 private:
  void converse() {
    if (answer_ == codecs::answer::partly) answer_ = peer_->go_on(reply_);
    while (!closed_ && answer_ != codecs::answer::partly) {
      const auto unread = request_.data();
      const auto scan = peer_->scan(unread);
      if (scan.need != 0) return;
      if (scan.error) {
        closed_ = true;
        return;
      }
      answer_ = peer_->on_frame(unread.first(scan.size), reply_);
      closed_ = closed_ || answer_ == codecs::answer::close;
      request_.consume(scan.size);
    }
  }

  std::size_t deliver(codecs::bytes_span to) {
    std::size_t moved = 0;
    for (const auto segment : reply_.segments()) {
      const auto part = std::min(segment.size(), to.size() - moved);
      std::copy_n(segment.data(), part, to.data() + moved);
      moved += part;
      if (part < segment.size()) break;
    }
    reply_.consume(moved);
    return moved;
  }

  std::unique_ptr<codecs::conversation> peer_;
  staged_buffer request_;
  gather_buffer reply_;
  codecs::answer answer_ = codecs::answer::none;
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<transport> make_socket_transport(int fd, nagle delay) {
  if (delay == nagle::on) return std::make_unique<nagle_transport>(fd);
  return std::make_unique<socket_transport>(fd, delay);
}

std::unique_ptr<transport> make_memory_transport(std::unique_ptr<codecs::conversation> peer) {
  return std::make_unique<memory_transport>(std::move(peer));
}

}  // namespace wire
