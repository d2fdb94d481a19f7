#pragma once
// Whether a process of this machine is the server at an endpoint. A server in a container tells a pid of its own pid
// namespace, which may be somebody else's here.

#include "wire/endpoint.hpp"

#include <sys/types.h>

#include <set>
#include <string>
#include <string_view>

namespace bench {

/// Whether it holds a socket that listens there. Takes the right to look into it: its owner's, or root's.
bool listens_on(pid_t process, const wire::endpoint& at);

/// Inodes of the listening sockets of a port, in a text of /proc/net/tcp or tcp6.
std::set<std::string> listening_inodes(std::string_view table, std::uint16_t port);

}  // namespace bench
