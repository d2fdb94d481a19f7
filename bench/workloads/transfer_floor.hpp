#pragma once
// Files moved by a bare loop: the bytes that the raw client has sent for one, its payload from where it lies, and as many bytes read as
// the raw client has read, into room for them. Nothing is encoded and nothing is looked at.

#include "bench/workloads/transfer.hpp"

namespace bench::workloads {

/// Lets the raw client move one file on a connection to `to`, a null server, which takes the same file again and again. `payload` and
/// `dog` outlive the workload.
absl::StatusOr<std::unique_ptr<workload>> open_transfer_floor(transfer what, transfer_payload& payload,
                                                              const wire::endpoint& to, wire::watchdog& dog);

}  // namespace bench::workloads
