#pragma once
// Whether a process of this machine is the server at an endpoint. A server in a container tells a pid of its own pid
// namespace, which may be somebody else's here.

#include "wire/endpoint.hpp"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Whether it holds a socket that listens there. Takes the right to look into it: its owner's, or root's.
bool listens_on(pid_t process, const wire::endpoint& at);

/// The process that has started it; empty when it is not there.
std::optional<pid_t> parent_of(pid_t process);

/// It and all processes that it has started, theirs too, that are alive now.
std::vector<pid_t> with_descendants(pid_t process);

/// Makes the kernel forget the peak of a process's memory, so that the next one is that from now on. False where that may not be.
bool reset_peak_memory(pid_t process);

/// The most memory that they had resident, each on its own (VmHWM), with shared memory such as PostgreSQL's buffers counted once;
/// empty when none of them is there.
std::optional<std::int64_t> peak_memory_bytes(const std::vector<pid_t>& processes);

/// Inodes of the listening sockets of a port, in a text of /proc/net/tcp or tcp6.
std::set<std::string> listening_inodes(std::string_view table, std::uint16_t port);

}  // namespace bench
