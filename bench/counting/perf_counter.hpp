#pragma once
// One counter of perf_event_open(2) for the calling thread. Hardware counters are absent in most guests.

#include <cstdint>
#include <optional>
#include <string>

namespace bench::counting {

class perf_counter {
 public:
  /// Instructions in user space.
  static perf_counter user_instructions();

  /// Page faults: a software counter, which every kernel has. Tests the mechanism.
  static perf_counter page_faults();

  perf_counter(perf_counter&& other) noexcept;
  perf_counter& operator=(perf_counter&&) = delete;
  ~perf_counter();

  /// Counted so far, scaled up when the kernel had the counter on only part of the time. Empty where there is none.
  std::optional<double> read() const;

  /// Why there is none, as a clause; empty when there is one.
  const std::string& missing() const { return missing_; }

 private:
  perf_counter(std::uint32_t type, std::uint64_t config);

  int file_;
  std::string missing_;
};

}  // namespace bench::counting
