#pragma once
// Ops of many connections on one thread: the other way to run a channel's exchanges. Bytes, counters, errors, why() and
// time-outs are those of channel::run(), of which these are the same steps; only the waiting is the loop's.
//
//   wire::pg::client client(std::move(connected.transport), &dog);      // logs in, prepares: blocking
//   wire::async_channel connection(loop, client.channel());
//   ... in a task of that loop:
//   const auto error = co_await connection.async_run(client.execute_op(statement, parameters));
//
// A stop-and-wait op costs one gathered write, one read, and on epoll one wait (counted as a poll), which many connections
// share; on io_uring read and write are operations of the ring, of which one system call starts many. Nothing is allocated
// per op. nagle::on is honoured by epoll alone.

#include "wire/channel.hpp"
#include "wire/loop.hpp"

namespace wire {

class async_channel {
 public:
  /// Both outlive this object, which is made before loop.run() and is the only user of `channel` in between: until it is
  /// gone the socket does not wait by itself. On a blocking loop, and for a channel in memory, async_run() is
  /// channel.run().
  async_channel(loop& owner, channel& channel);
  ~async_channel();
  async_channel(const async_channel&) = delete;
  async_channel& operator=(const async_channel&) = delete;

  /// What async_run() returns, for co_await at once.
  class running {
   public:
    running(async_channel& self, codecs::exchange& op) : self_(self), op_(op) {}

    bool await_ready() { return self_.start(op_); }
    void await_suspend(std::coroutine_handle<> waiter) { self_.waiter_ = waiter; }
    error_code await_resume() const { return self_.outcome_; }

   private:
    async_channel& self_;
    codecs::exchange& op_;
  };

  /// Has one op's conversation from its first byte to its last. One op at a time; `op` lives until it is over.
  [[nodiscard]] running async_run(codecs::exchange& op) { return {*this, op}; }

  const wire::channel& channel() const { return channel_; }

 private:
  struct socket;  // as Asio sees it

  // These answer whether the op is over.
  bool start(codecs::exchange& op);
  bool advance(bool good);
  bool end(bool good);
  bool take_frames();

  // One file has these for epoll, one for io_uring; a program links one of them.
  int send();
  bool receive();

  void resume_if(bool over);

  loop& owner_;
  wire::channel& channel_;
  std::unique_ptr<socket> socket_;  // null: blocking
  codecs::exchange* op_ = nullptr;  // null once it is over
  std::coroutine_handle<> waiter_;
  error_code outcome_;
  bool has_unread_ = false;  // bytes that came between two ops
};

}  // namespace wire
