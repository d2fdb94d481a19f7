#include "wire/loop.hpp"

#include "wire/reactor.hpp"

#include <thread>

namespace wire {

namespace asio = boost::asio;

std::string_view loop::reactor_name() {
#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
  return "io_uring";
#else
  return "epoll";
#endif
}

codecs::error_code loop::probe() try {
  asio::io_context context;
  const asio::steady_timer timer(context);  // makes the reactor
  return {};
} catch (const boost::system::system_error& refused) {
  return refused.code();
}

asio::steady_timer& loop::reactor::take_timer() {
  if (idle_timers.empty()) return timers.emplace_back(context);
  auto& timer = *idle_timers.back();
  idle_timers.pop_back();
  return timer;
}

loop::loop(kind what) {
  if (what == kind::reactor) reactor_ = std::make_unique<reactor>();
}

loop::~loop() = default;

void loop::run() {
  for (const auto& each : tasks_) each.resume();
  if (reactor_) {
    reactor_->context.run();
    reactor_->context.restart();
  }
  tasks_.clear();
}

bool loop::sleep::await_ready() const {
  if (when <= clock::now()) return true;
  if (owner.reactor_) return false;
  std::this_thread::sleep_until(when);
  return true;
}

void loop::sleep::await_suspend(std::coroutine_handle<> sleeper) const {
  auto& timer = owner.reactor_->take_timer();
  timer.expires_at(when);
  timer.async_wait([&reactor = *owner.reactor_, &timer, sleeper](const codecs::error_code&) {
    reactor.idle_timers.push_back(&timer);
    sleeper.resume();
  });
}

}  // namespace wire
