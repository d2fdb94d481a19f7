#include "bench/counting/memory_watch.hpp"

#include "bench/counting/self_count.hpp"
#include "bench/resources.hpp"
#include "bench/system_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <string_view>

namespace bench::counting {

memory_watch::memory_watch()
    : status_(::open("/proc/self/status", O_RDONLY | O_CLOEXEC)), sampler_([this] { watch(); }) {}

memory_watch::~memory_watch() {
  over_ = true;
  sampler_.join();
  if (status_ >= 0) ::close(status_);
}

void memory_watch::begin() {
  faults_before_ = read_usage(std::nullopt).minor_faults;
  anon_peak_ = -1;
  if (heap_.loaded()) heap_.begin();
}

memory_use memory_watch::end() {
  memory_use use;
  if (heap_.loaded()) use.heap = heap_.end();
  sample();
  use.minor_faults = read_usage(std::nullopt).minor_faults - faults_before_;
  if (const auto peak = anon_peak_.load(); peak >= 0) use.anon_peak_bytes = peak;
  use.rss_peak_bytes = peak_rss_bytes_in(read_system_file("/proc/self/status"));
  return use;
}

/// Without a heap allocation: it would be counted.
void memory_watch::sample() {
  char text[4096];
  const auto size = ::pread(status_, text, sizeof text, 0);
  if (size <= 0) return;
  const auto now = status_bytes_in({text, static_cast<std::size_t>(size)}, "RssAnon:").value_or(-1);
  auto peak = anon_peak_.load();
  while (now > peak && !anon_peak_.compare_exchange_weak(peak, now)) {
  }
}

void memory_watch::watch() {
  while (!over_) {
    sample();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace bench::counting
