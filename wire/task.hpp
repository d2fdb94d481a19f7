#pragma once
// The coroutine that a loop runs: the life of one connection, from its first op to its last. Its frame is the only memory
// that it takes; what it waits for (async_channel::async_run, loop::sleep_until) lives in the objects that it waits on.
//
//   wire::task drive(wire::async_channel& connection) {
//     while (wanted()) note(co_await connection.async_run(next_op()));
//   }

#include <coroutine>
#include <utility>

namespace wire {

/// Owns the coroutine, which starts when a loop runs it. Errors are values; what is thrown leaves loop::run().
class [[nodiscard]] task {
 public:
  struct promise_type {
    task get_return_object() { return task(handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    [[noreturn]] void unhandled_exception() { throw; }
  };

  task(task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  task& operator=(task&& other) noexcept {
    std::swap(coroutine_, other.coroutine_);
    return *this;
  }
  ~task() {
    if (coroutine_) coroutine_.destroy();
  }

  void resume() const { coroutine_.resume(); }

 private:
  using handle = std::coroutine_handle<promise_type>;
  explicit task(handle coroutine) : coroutine_(coroutine) {}

  handle coroutine_;
};

}  // namespace wire
