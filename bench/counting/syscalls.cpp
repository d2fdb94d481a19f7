#include "bench/counting/syscalls.hpp"

#include <fmt/format.h>
#include <linux/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace bench::counting {
namespace {

/// <sys/ptrace.h> and <linux/ptrace.h> cannot be included together; the system call is the same.
long trace(int request, pid_t pid, unsigned long address, unsigned long data) {
  return ::syscall(SYS_ptrace, request, pid, address, data);
}

/// What a client may call in its ops.
constexpr std::pair<std::uint64_t, const char*> names[] = {
    {SYS_read, "read"},
    {SYS_write, "write"},
    {SYS_readv, "readv"},
    {SYS_writev, "writev"},
    {SYS_sendto, "sendto"},
    {SYS_recvfrom, "recvfrom"},
    {SYS_sendmsg, "sendmsg"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_sendfile, "sendfile"},
    {SYS_splice, "splice"},
    {SYS_ppoll, "ppoll"},
    {SYS_pselect6, "pselect6"},
    {SYS_epoll_pwait, "epoll_pwait"},
    {SYS_epoll_ctl, "epoll_ctl"},
    {SYS_io_uring_enter, "io_uring_enter"},
    {SYS_getsockopt, "getsockopt"},
    {SYS_setsockopt, "setsockopt"},
    {SYS_ioctl, "ioctl"},
    {SYS_fcntl, "fcntl"},
    {SYS_futex, "futex"},
    {SYS_mmap, "mmap"},
    {SYS_munmap, "munmap"},
    {SYS_mremap, "mremap"},
    {SYS_brk, "brk"},
    {SYS_madvise, "madvise"},
    {SYS_rt_sigaction, "rt_sigaction"},
    {SYS_rt_sigprocmask, "rt_sigprocmask"},
    {SYS_rt_sigpending, "rt_sigpending"},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait"},
    {SYS_getrandom, "getrandom"},
    {SYS_getpid, "getpid"},
    {SYS_sched_yield, "sched_yield"},
    {SYS_clock_gettime, "clock_gettime"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
#ifdef SYS_poll  // calls that newer architectures do not have
    {SYS_poll, "poll"},
    {SYS_select, "select"},
    {SYS_epoll_wait, "epoll_wait"},
#endif
};

/// Lets the thread run to the next entry into or return from a system call, or to its next signal, which it gets; its wait
/// status.
int step(pid_t pid, int signal) {
  int status = 0;
  trace(PTRACE_SYSCALL, pid, 0, static_cast<unsigned long>(signal));
  while (::waitpid(pid, &status, __WALL) < 0 && errno == EINTR) {
  }
  return status;
}

constexpr int syscall_stop = SIGTRAP | 0x80;  // by PTRACE_O_TRACESYSGOOD

}  // namespace

absl::StatusOr<syscall_counts> count_syscalls(const words& command, const words& variables) {
  auto run = subprocess::start(command, variables, true);
  if (!run.ok()) return run.status();
  const pid_t pid = run->pid();
  int status = 0;
  while (::waitpid(pid, &status, __WALL) < 0 && errno == EINTR) {
  }
  trace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);

  std::map<std::uint64_t, std::uint64_t> by_number;
  int signal = 0;  // the first stop is execve's own SIGTRAP, which is not passed on
  while (WIFSTOPPED(status)) {
    status = step(pid, signal);
    signal = 0;
    if (!WIFSTOPPED(status)) break;
    if (WSTOPSIG(status) != syscall_stop) {
      signal = WSTOPSIG(status);
      continue;
    }
    ptrace_syscall_info info{};
    trace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, reinterpret_cast<unsigned long>(&info));
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) ++by_number[info.entry.nr];
  }
  const auto ended = run->reaped(status);
  if (!ended.ok()) return ended.status();
  syscall_counts counts;
  for (const auto& [number, count] : by_number) counts[syscall_name(number)] = count;
  return counts;
}

std::string syscall_name(std::uint64_t number) {
  for (const auto& [known, name] : names) {
    if (known == number) return name;
  }
  return fmt::format("syscall {}", number);
}

}  // namespace bench::counting
