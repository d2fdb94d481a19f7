#include "wire/async_channel.hpp"

#include "wire/async_socket.hpp"

#include <sys/socket.h>

#include <fcntl.h>

#include <cerrno>

namespace wire {

using codecs::progress;

async_channel::async_channel(loop& owner, wire::channel& channel) : owner_(owner), channel_(channel) {
  const int fd = channel.native_handle();
  if (owner.reactor_ == nullptr || fd < 0) return;
  const boost::asio::generic::stream_protocol any(AF_UNSPEC, 0);
  socket_.reset(new socket{{owner.reactor_->context, any, fd}});
}

/// The descriptor is the channel's, and blocks again. An op that is given up in the middle ends the connection.
async_channel::~async_channel() {
  if (!socket_) return;
  if (socket_->busy()) {
    channel_.transport_->shutdown();
    owner_.reactor_->given_up.push_back(std::move(socket_->slots));
  }
  error_code ignored;
  const int fd = socket_->handle.release(ignored);
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
}

bool async_channel::start(codecs::exchange& op) {
  if (!socket_) {
    outcome_ = channel_.run(op);
    return true;
  }
  op_ = &op;
  has_unread_ = !channel_.in_->data().empty();
  return advance(channel_.start(op));
}

/// Does all that can be done without waiting: channel::run_to_end(), which leaves where that one would wait.
bool async_channel::advance(bool good) {
  while (good) {
    const int error = send();
    if (error == EAGAIN) return !receive() && end(false);
    if (error != 0) return end(channel_.fail_system(error));
    if (channel_.state_ == progress::done) break;
    if (!std::exchange(has_unread_, false)) return !receive() && end(false);
    good = take_frames();
  }
  return end(good);
}

bool async_channel::take_frames() {
  const bool early = channel_.out_->size() != 0;
  return early ? channel_.take_early_frames(*op_) : channel_.take_frames(*op_);
}

/// Operations that are left over from a partial write are called back before the caller goes on.
bool async_channel::end(bool good) {
  outcome_ = channel_.finish(*op_, good);
  op_ = nullptr;
  if (!socket_->busy()) return true;
  error_code ignored;
  socket_->handle.cancel(ignored);
  return false;
}

/// The last thing that is done in a callback: the coroutine may end and take this object with it.
void async_channel::resume_if(bool over) {
  if (over) waiter_.resume();
}

}  // namespace wire
