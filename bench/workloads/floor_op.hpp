#pragma once
// The ops of the default op set through the floor client.

#include "wire/endpoint.hpp"
#include "wire/watchdog.hpp"

#include "bench/peer.hpp"

#include "absl/status/statusor.h"

namespace bench::workloads {

/// Lets the raw client run the op once against `served_by` in memory, to learn its bytes, then connects to `to` with the
/// raw client, which logs in and prepares, and puts the floor client on that connection. `dog` outlives the workload
/// and bounds the wait for replies.
absl::StatusOr<std::unique_ptr<workload>> open_floor(const std::string& op, const peer& served_by,
                                                     const wire::endpoint& to, wire::watchdog& dog);

/// One op's request, byte by byte, and the size of the reply to it.
struct recorded_op {
  std::vector<std::uint8_t> request;
  std::size_t reply_bytes = 0;
};

/// What the raw client sends for the op and gets from the peer, in memory.
absl::StatusOr<recorded_op> record(const std::string& op, const peer& served_by, const wire::endpoint& login,
                                   wire::watchdog& dog);

}  // namespace bench::workloads
