#include "wire/watchdog.hpp"

#include <sys/socket.h>

#include <algorithm>

namespace wire {

watchdog::watchdog(std::chrono::milliseconds timeout) : timeout_(timeout), thread_([this] { patrol(); }) {}

watchdog::~watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

watchdog::handle watchdog::add(int fd) {
  const std::lock_guard lock(mutex_);
  auto& watched = watches_.emplace_back();
  watched.fd_ = fd;
  return handle(&watched, unwatch{this});
}

void watchdog::remove(const watch* watched) {
  const std::lock_guard lock(mutex_);
  watches_.remove_if([watched](const watch& each) { return &each == watched; });
}

void watchdog::patrol() {
  // A tenth of the time-out is how late a shutdown may come; the thread is not to be noticed on the measured
  // CPU.
  const auto period = std::clamp<std::chrono::milliseconds>(timeout_ / 10, std::chrono::milliseconds(5),
                                                            std::chrono::milliseconds(500));
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, period, [this] { return stop_; })) {
    const auto now = std::chrono::steady_clock::now();
    for (auto& watched : watches_) inspect(watched, now);
  }
}

void watchdog::inspect(watch& watched, std::chrono::steady_clock::time_point now) const {
  const auto beat = watched.beat_.load(std::memory_order_relaxed);
  if (beat % 2 == 0 || beat != watched.seen_) {
    watched.seen_ = beat;
    watched.since_ = now;
  } else if (now - watched.since_ >= timeout_ && !watched.fired_.load(std::memory_order_relaxed)) {
    watched.fired_.store(true, std::memory_order_relaxed);
    ::shutdown(watched.fd_, SHUT_RDWR);
  }
}

}  // namespace wire
