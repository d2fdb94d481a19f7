#include "wire/async_channel.hpp"

#include "wire/reactor.hpp"

#include <boost/asio/generic/stream_protocol.hpp>

#include <fcntl.h>

#include <cerrno>

namespace wire {

namespace asio = boost::asio;
using codecs::progress;

struct async_channel::socket {
  asio::generic::stream_protocol::socket handle;
  bool reading = false;  // a wait is under way
  bool writing = false;

  bool waiting() const { return reading || writing; }
};

async_channel::async_channel(loop& owner, wire::channel& channel) : channel_(channel) {
  const int fd = channel.native_handle();
  if (owner.reactor_ == nullptr || fd < 0) return;
  const asio::generic::stream_protocol any(AF_UNSPEC, 0);
  socket_ = std::make_unique<socket>(socket{{owner.reactor_->context, any, fd}});
}

async_channel::~async_channel() {
  if (!socket_) return;
  error_code ignored;
  const int fd = socket_->handle.release(ignored);  // it is the channel's
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
    const int error = channel_.send_now();
    if (error == EAGAIN) {
      await_writing();
      await_reading();
      return false;
    }
    if (error != 0) return end(channel_.fail_system(error));
    if (channel_.state_ == progress::done) break;
    if (!std::exchange(has_unread_, false)) {
      await_reading();
      return false;
    }
    good = channel_.take_frames(*op_);
  }
  return end(good);
}

/// Waits that are left over from a partial write are called back before the caller goes on.
bool async_channel::end(bool good) {
  outcome_ = channel_.finish(*op_, good);
  op_ = nullptr;
  if (!socket_->waiting()) return true;
  error_code ignored;
  socket_->handle.cancel(ignored);
  return false;
}

void async_channel::await_reading() {
  if (channel_.watch_) channel_.watch_->arm();  // each wait has the whole time-out
  if (std::exchange(socket_->reading, true)) return;
  ++channel_.counters_.polls;
  socket_->handle.async_wait(asio::socket_base::wait_read, [this](const error_code&) { on_readable(); });
}

void async_channel::await_writing() {
  if (std::exchange(socket_->writing, true)) return;
  ++channel_.counters_.polls;
  socket_->handle.async_wait(asio::socket_base::wait_write, [this](const error_code&) { on_writable(); });
}

// What is wrong with the socket shows in the next call on it, so that a wait's own error is of no interest.

void async_channel::on_readable() {
  socket_->reading = false;
  if (op_ == nullptr) return resume_if(!socket_->waiting());
  const bool early = channel_.sent_ < channel_.out_->size();
  resume_if(
      advance(early ? channel_.read_early(*op_) : channel_.read_once(false) && channel_.take_frames(*op_)));
}

void async_channel::on_writable() {
  socket_->writing = false;
  resume_if(op_ == nullptr ? !socket_->waiting() : advance(true));
}

/// The last thing that is done here: the coroutine may end and take this object with it.
void async_channel::resume_if(bool over) {
  if (over) waiter_.resume();
}

}  // namespace wire
