#pragma once
// Which cpu each side runs on: part of every result, since an idle virtual cpu takes tens of microseconds to
// wake and an unpinned pair flips between two modes from run to run. Pins are verified by reading them back;
// a silent failure to pin has read as "libpq is 8 times slower than raw".

#include <sys/types.h>

#include <sched.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace bench {

/// same_cpu: both sides on one cpu, which never goes idle, so that the cost of code shows. Throughput is then
/// 1 / (client + server + kernel), a cost figure and not the capacity of a link.
/// unpinned: the server's process could not be pinned, or is not known; its times contain wake-ups.
enum class placement { same_cpu, unpinned };

const char* name(placement where);

/// The cpus that this thread may run on, ascending.
std::vector<int> allowed_cpus();

/// The last allowed cpu: the first ones serve most interrupts.
int default_cpu();

/// The cpu that this thread is on now.
int current_cpu();

/// Pins the calling thread, and its future threads and children with it, until the end of the object's life.
class pinned_thread {
 public:
  static absl::StatusOr<pinned_thread> to(int cpu);
  pinned_thread(pinned_thread&& other) noexcept;
  pinned_thread& operator=(pinned_thread&&) = delete;
  ~pinned_thread();  // on the thread that was pinned

 private:
  explicit pinned_thread(cpu_set_t before) : before_(before) {}
  std::optional<cpu_set_t> before_;  // empty when moved from
};

/// Pins every thread of another process. Threads that end meanwhile are not missed.
absl::Status pin_process(pid_t process, int cpu);

/// Keeps the cpus that each thread of another process may use, and gives them back at the end of its life if the process was
/// pinned in between. Threads that started since get those of the main thread. For a server that lives on.
class kept_affinity {
 public:
  explicit kept_affinity(pid_t process);
  kept_affinity(const kept_affinity&) = delete;
  kept_affinity& operator=(const kept_affinity&) = delete;
  ~kept_affinity();

 private:
  pid_t process_;
  std::map<pid_t, cpu_set_t> before_;  // by thread; the main thread's number is the process's
};

}  // namespace bench
