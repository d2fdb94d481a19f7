// How async_channel waits where Asio is a ring: the kernel moves the bytes, by one OP_SENDMSG and one OP_RECVMSG per op,
// both under way at once, so that one system call takes them along with those of other connections. They count as a write
// and a read.

#include "wire/async_socket.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace wire {
namespace {

/// The end of the stream is no error here, and an operation that was cancelled may be started again.
int errno_of(const error_code& error) {
  if (error == boost::asio::error::eof || error == boost::asio::error::operation_aborted) return 0;
  return error.value();
}

}  // namespace

/// 0: all is sent. EAGAIN: not yet, and advance() is called when it went on.
int async_channel::send() {
  if (socket_->writing) return EAGAIN;
  const auto unsent = channel_.unsent();
  if (unsent.empty()) return 0;
  socket_->writing = true;
  const auto on_sent = [this](const error_code& error, std::size_t bytes) {
    socket_->writing = false;
    if (op_ == nullptr) return resume_if(!socket_->busy());
    const int failed = channel_.written({bytes, errno_of(error)});
    if (failed != 0) return resume_if(end(channel_.fail_system(failed)));
    resume_if(advance(!std::exchange(has_unread_, false) || take_frames()));
  };
  socket_->handle.async_send(socket_->gather(unsent), MSG_NOSIGNAL,
                             async_callback{on_sent, &socket_->slots->write});
  return EAGAIN;
}

/// Has advance() called when something was read. False: the channel has failed.
bool async_channel::receive() {
  if (channel_.watch_) channel_.watch_->arm();  // each wait has the whole time-out
  if (socket_->reading) return true;
  const auto room = channel_.room_to_read();
  if (room.empty()) return false;
  socket_->reading = true;
  const auto on_received = [this](const error_code& error, std::size_t bytes) {
    socket_->reading = false;
    if (op_ == nullptr) {
      if (bytes != 0) channel_.received({bytes, 0});
      return resume_if(!socket_->busy());
    }
    if (!channel_.received({bytes, errno_of(error)})) return resume_if(end(false));
    if (!socket_->writing) return resume_if(advance(take_frames()));
    // The exchange may answer into the memory that the kernel is sending: the send goes on behind it.
    has_unread_ = true;
    error_code ignored;
    socket_->handle.cancel(ignored);
  };
  socket_->handle.async_receive(boost::asio::buffer(room.data(), room.size()),
                                async_callback{on_received, &socket_->slots->read});
  return true;
}

}  // namespace wire
