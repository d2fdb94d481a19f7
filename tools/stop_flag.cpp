#include "tools/stop_flag.hpp"

#include "bench/clock.hpp"

#include <csignal>
#include <cstdint>

namespace tools {
namespace {

constexpr std::int64_t same_request_ns = 1'000'000'000;

std::atomic<bool> stopped{false};
std::atomic<std::int64_t> stopped_at_ns{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);  // a handler may wait for nobody

void note(int number) {
  const auto now = bench::now_ns();
  std::int64_t first = 0;
  if (stopped_at_ns.compare_exchange_strong(first, now)) {
    stopped.store(true, std::memory_order_relaxed);
  } else if (now - first >= same_request_ns) {
    std::signal(number, SIG_DFL);
    std::raise(number);  // delivered when the handler returns
  }
}

}  // namespace

const std::atomic<bool>& stop_flag() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return stopped;
}

}  // namespace tools
