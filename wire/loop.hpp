#pragma once
// Runs the coroutines of one thread: one per connection, many at a time. What an op waits for is waited for by Asio, which
// no header shows: how Asio waits (epoll or io_uring) is decided by macros for the whole program, so everything that
// includes it is one small library (wire/meson.build), and the program is linked once with each.
//
//   wire::loop loop(wire::loop::kind::reactor);
//   std::list<connection> connections;                         // each with a client and an async_channel
//   for (auto& each : connections) loop.spawn(drive(each));
//   loop.run();                                                // until all are through
//
// A blocking loop runs the same coroutines without Asio: every wait is a wait in the system call itself, no coroutine is
// ever suspended, and so a thread has one connection. What is built on a loop is written once for all three.
//
// Not thread-safe: a loop, its tasks and its channels belong to one thread.

#include "codecs/errc.hpp"

#include "wire/task.hpp"

#include <chrono>
#include <memory>
#include <string_view>
#include <vector>

namespace wire {

class loop {
 public:
  using clock = std::chrono::steady_clock;

  enum class kind {
    blocking,  ///< tasks run one after the other
    reactor,   ///< tasks run at the same time
  };

  /// "epoll" or "io_uring": what a reactor is in this program.
  static std::string_view reactor_name();

  /// Whether this kernel permits the reactor; io_uring is often forbidden (EPERM, ENOSYS). To be asked before the first
  /// reactor is made, and before connect() in a program whose reactor is io_uring.
  static codecs::error_code probe();

  explicit loop(kind what);
  ~loop();
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;

  /// Takes a task; it starts in run(). Whatever the task refers to must live until run() has returned.
  void spawn(task what) { tasks_.push_back(std::move(what)); }

  /// Runs the tasks until each has ended.
  void run();

  /// co_await: goes on at `when`, or at once if that has passed. A reactor wakes as late as epoll does (tens of
  /// microseconds); allocates nothing in the steady state.
  struct sleep {
    loop& owner;
    clock::time_point when;

    bool await_ready() const;
    void await_suspend(std::coroutine_handle<> sleeper) const;
    void await_resume() const {}
  };
  sleep sleep_until(clock::time_point when) { return {*this, when}; }

 private:
  friend class async_channel;
  struct reactor;

  std::unique_ptr<reactor> reactor_;  // null: blocking
  std::vector<task> tasks_;
};

}  // namespace wire
