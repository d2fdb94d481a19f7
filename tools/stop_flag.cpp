#include "tools/stop_flag.hpp"

#include <csignal>

namespace tools {
namespace {

std::atomic<bool> stopped{false};

void note(int) {
  stopped.store(true, std::memory_order_relaxed);
}

}  // namespace

const std::atomic<bool>& stop_flag() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return stopped;
}

}  // namespace tools
