#pragma once
// What a round cost beside time: CPU of both sides, context switches, faults. Read outside the timer.

#include <sys/types.h>

#include <time.h>

#include <cstdint>
#include <optional>

namespace bench {

/// Totals so far; the difference of two readings is what happened between them.
struct usage {
  std::int64_t client_cpu_ns = 0;             ///< of the calling thread
  std::optional<std::int64_t> server_cpu_ns;  ///< of the serving process, all its threads; empty when unknown
  std::int64_t voluntary_switches = 0;        ///< these four: of the calling thread
  std::int64_t involuntary_switches = 0;
  std::int64_t minor_faults = 0;
  std::int64_t major_faults = 0;

  usage operator-(const usage& earlier) const;
};

/// CPU time of a process on this machine; empty when it is not there or may not be read.
std::optional<std::int64_t> process_cpu_ns(pid_t process);

/// The same by its clock, as pthread_getcpuclockid(3) tells it for a thread of this process.
std::optional<std::int64_t> cpu_clock_ns(clockid_t clock);

/// Reads the calling thread and, when named, a serving process. A few microseconds.
usage read_usage(std::optional<pid_t> server);

}  // namespace bench
