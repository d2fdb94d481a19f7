#pragma once
// Files as large objects through libpq, called as an ordinary program calls it: a transaction, lo_creat, lo_open, lo_write or lo_read
// chunk by chunk, lo_close.

#include "wire/watchdog.hpp"

#include "bench/workload.hpp"
#include "bench/workloads/transfer.hpp"

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace bench::drivers {

/// `payload` and `dog` outlive the workload.
absl::StatusOr<std::unique_ptr<workload>> open_libpq_transfer(const workloads::transfer& what,
                                                              workloads::transfer_payload& payload,
                                                              const std::string& uri, wire::watchdog& dog);

}  // namespace bench::drivers
