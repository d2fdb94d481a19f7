#include "bench/resources.hpp"

#include <sys/resource.h>

#include <time.h>

namespace bench {

std::optional<std::int64_t> cpu_clock_ns(clockid_t clock) {
  timespec time;
  if (clock_gettime(clock, &time) != 0) return std::nullopt;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

usage usage::operator-(const usage& earlier) const {
  usage spent{.client_cpu_ns = client_cpu_ns - earlier.client_cpu_ns,
              .server_cpu_ns = std::nullopt,
              .voluntary_switches = voluntary_switches - earlier.voluntary_switches,
              .involuntary_switches = involuntary_switches - earlier.involuntary_switches,
              .minor_faults = minor_faults - earlier.minor_faults,
              .major_faults = major_faults - earlier.major_faults};
  if (server_cpu_ns && earlier.server_cpu_ns) spent.server_cpu_ns = *server_cpu_ns - *earlier.server_cpu_ns;
  return spent;
}

std::optional<std::int64_t> process_cpu_ns(pid_t process) {
  clockid_t clock;
  if (clock_getcpuclockid(process, &clock) != 0) return std::nullopt;
  return cpu_clock_ns(clock);
}

usage read_usage(std::optional<pid_t> server) {
  rusage thread;
  getrusage(RUSAGE_THREAD, &thread);
  return {.client_cpu_ns = cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID).value_or(0),
          .server_cpu_ns = server ? process_cpu_ns(*server) : std::nullopt,
          .voluntary_switches = thread.ru_nvcsw,
          .involuntary_switches = thread.ru_nivcsw,
          .minor_faults = thread.ru_minflt,
          .major_faults = thread.ru_majflt};
}

}  // namespace bench
