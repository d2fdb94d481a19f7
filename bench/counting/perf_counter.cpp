#include "bench/counting/perf_counter.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace bench::counting {

perf_counter perf_counter::user_instructions() {
  return {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS};
}

perf_counter perf_counter::page_faults() {
  return {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS};
}

perf_counter::perf_counter(std::uint32_t type, std::uint64_t config) {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = type;
  wanted.config = config;
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  file_ = static_cast<int>(::syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (file_ < 0) missing_ = fmt::format("perf_event has no such counter here ({})", std::strerror(errno));
}

perf_counter::perf_counter(perf_counter&& other) noexcept
    : file_(std::exchange(other.file_, -1)), missing_(std::move(other.missing_)) {}

perf_counter::~perf_counter() {
  if (file_ >= 0) ::close(file_);
}

std::optional<double> perf_counter::read() const {
  struct {
    std::uint64_t count, enabled_ns, running_ns;
  } got{};
  if (file_ < 0 || ::read(file_, &got, sizeof got) != sizeof got || got.running_ns == 0) return std::nullopt;
  return static_cast<double>(got.count) * static_cast<double>(got.enabled_ns) /
         static_cast<double>(got.running_ns);
}

}  // namespace bench::counting
