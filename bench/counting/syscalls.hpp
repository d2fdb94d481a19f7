#pragma once
// System calls by kind, counted from outside by ptrace(2): exact for any client, whatever library it calls through.

#include "bench/counting/subprocess.hpp"

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace bench::counting {

/// By name as in the manual ("sendmsg"); a number ("syscall 435") for those that no client here makes.
using syscall_counts = std::map<std::string, std::uint64_t>;

/// Runs `command` to its end and counts the system calls of its first thread, the one that runs the ops: not those of other
/// threads (a watchdog's) or of forked processes (a null server's).
absl::StatusOr<syscall_counts> count_syscalls(const words& command, const words& variables = {});

/// Name of a system call of this machine's architecture.
std::string syscall_name(std::uint64_t number);

}  // namespace bench::counting
