// How async_channel waits where Asio tells that a socket is ready: the channel's own calls move the bytes.

#include "wire/async_socket.hpp"

#include <cerrno>

namespace wire {

using boost::asio::socket_base;

// What is wrong with the socket shows in the next call on it, so that a wait's own error is of no interest.

/// 0: all is sent. EAGAIN: not yet, and advance() is called when there is room.
int async_channel::send() {
  const int error = channel_.send_now();
  if (error != EAGAIN || std::exchange(socket_->writing, true)) return error;
  ++channel_.counters_.polls;
  const auto on_writable = [this](const error_code&) {
    socket_->writing = false;
    resume_if(op_ == nullptr ? !socket_->busy() : advance(true));
  };
  socket_->handle.async_wait(socket_base::wait_write, async_callback{on_writable, &socket_->slots->write});
  return EAGAIN;
}

/// Has advance() called when something was read. False: the channel has failed.
bool async_channel::receive() {
  if (channel_.watch_) channel_.watch_->arm();  // each wait has the whole time-out
  if (std::exchange(socket_->reading, true)) return true;
  ++channel_.counters_.polls;
  const auto on_readable = [this](const error_code&) {
    socket_->reading = false;
    resume_if(op_ == nullptr ? !socket_->busy() : advance(channel_.read_once(false) && take_frames()));
  };
  socket_->handle.async_wait(socket_base::wait_read, async_callback{on_readable, &socket_->slots->read});
  return true;
}

}  // namespace wire
