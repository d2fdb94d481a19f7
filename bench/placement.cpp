#include "bench/placement.hpp"

#include <fmt/format.h>

#include <errno.h>

#include <charconv>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

namespace bench {
namespace {

cpu_set_t just(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return set;
}

absl::Status cannot_pin(const std::string& what, int cpu, const char* why) {
  return absl::FailedPreconditionError(
      fmt::format("cannot pin {} to cpu {}: {}; name another one with --cpu", what, cpu, why));
}

/// 0, or the errno of the failure. ERANGE: accepted, but not so when read back.
int pin(pid_t thread, int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return EINVAL;
  const auto wanted = just(cpu);
  if (sched_setaffinity(thread, sizeof wanted, &wanted) != 0) return errno;
  cpu_set_t actual;
  if (sched_getaffinity(thread, sizeof actual, &actual) != 0) return errno;
  return CPU_EQUAL(&wanted, &actual) ? 0 : ERANGE;
}

std::set<pid_t> threads_of(pid_t process) {
  std::set<pid_t> threads;
  std::error_code gone;
  const std::filesystem::directory_iterator tasks(fmt::format("/proc/{}/task", process), gone);
  for (const auto& task : tasks) {
    const auto text = task.path().filename().string();
    pid_t id = 0;
    std::from_chars(text.data(), text.data() + text.size(), id);
    threads.insert(id);
  }
  return threads;
}

/// Calls `change` for every thread of the process, which answers with 0 or an errno. 0, the first errno but for threads that
/// have ended, or ESRCH when the process is gone.
template <typename Change>
int change_threads(pid_t process, Change change) {
  // A thread that starts meanwhile may have inherited the old mask, so look again until nothing is new.
  std::set<pid_t> changed;
  for (;;) {
    auto threads = threads_of(process);
    if (threads.empty()) return ESRCH;
    if (threads == changed) return 0;
    for (const pid_t thread : threads) {
      const int error = change(thread);
      if (error != 0 && error != ESRCH) return error;
    }
    changed = std::move(threads);
  }
}

/// Empty when the thread is gone.
std::optional<cpu_set_t> affinity_of(pid_t thread) {
  cpu_set_t allowed;
  if (sched_getaffinity(thread, sizeof allowed, &allowed) != 0) return std::nullopt;
  return allowed;
}

}  // namespace

const char* name(placement where) {
  switch (where) {
    case placement::same_cpu:
      return "same-cpu";
    case placement::unpinned:
      return "unpinned";
  }
  return "";
}

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

int default_cpu() {
  return allowed_cpus().back();
}

int current_cpu() {
  return sched_getcpu();
}

absl::StatusOr<pinned_thread> pinned_thread::to(int cpu) {
  cpu_set_t before;
  if (sched_getaffinity(0, sizeof before, &before) != 0) {
    return cannot_pin("the measuring thread", cpu, std::strerror(errno));
  }
  if (const int error = pin(0, cpu)) return cannot_pin("the measuring thread", cpu, std::strerror(error));
  pinned_thread pinned(before);
  if (current_cpu() != cpu) return cannot_pin("the measuring thread", cpu, "it runs on another one");
  return pinned;
}

pinned_thread::pinned_thread(pinned_thread&& other) noexcept
    : before_(std::exchange(other.before_, std::nullopt)) {}

pinned_thread::~pinned_thread() {
  if (before_) sched_setaffinity(0, sizeof *before_, &*before_);
}

absl::Status pin_process(pid_t process, int cpu) {
  const int error = change_threads(process, [cpu](pid_t thread) { return pin(thread, cpu); });
  if (error == 0) return absl::OkStatus();
  return cannot_pin(fmt::format("process {}", process), cpu,
                    error == ESRCH ? "it is gone" : std::strerror(error));
}

kept_affinity::kept_affinity(pid_t process) : process_(process) {
  for (const pid_t thread : threads_of(process)) {
    if (const auto allowed = affinity_of(thread)) before_.emplace(thread, *allowed);
  }
}

kept_affinity::~kept_affinity() {
  const auto main = before_.find(process_);
  const bool changed = std::any_of(before_.begin(), before_.end(), [](const auto& kept) {
    const auto now = affinity_of(kept.first);
    return now && !CPU_EQUAL(&*now, &kept.second);
  });
  if (main == before_.end() || !changed) return;
  change_threads(process_, [&](pid_t thread) {
    const auto known = before_.find(thread);
    const auto& allowed = known == before_.end() ? main->second : known->second;
    return sched_setaffinity(thread, sizeof allowed, &allowed) == 0 ? 0 : errno;
  });
}

}  // namespace bench
