#pragma once
// What memory a piece of this process's work takes: the heap where malloc_probe is loaded, and what the kernel has given.
//
//   memory_watch watch;
//   watch.begin();
//   ... work ...
//   const auto use = watch.end();

#include "bench/counting/heap_probe.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>

namespace bench::counting {

struct memory_use {
  std::optional<heap_counts> heap;  ///< empty when malloc_probe is not loaded
  std::optional<std::int64_t>
      rss_peak_bytes;  ///< VmHWM: of the process since its start, mapped files included
  /// RssAnon, the largest of readings about every millisecond and one at the end: what came and went in between is missed.
  std::optional<std::int64_t> anon_peak_bytes;
  std::int64_t minor_faults = 0;  ///< of the thread that called begin() and end()
};

class memory_watch {
 public:
  memory_watch();
  ~memory_watch();
  memory_watch(const memory_watch&) = delete;
  memory_watch& operator=(const memory_watch&) = delete;

  void begin();
  memory_use end();

 private:
  void sample();
  void watch();

  heap_probe heap_;
  int status_;  // /proc/self/status; -1: there is none
  std::atomic<std::int64_t> anon_peak_{-1};
  std::atomic<bool> over_{false};
  std::int64_t faults_before_ = 0;
  std::thread sampler_;
};

}  // namespace bench::counting
