#pragma once
// GridFS files through libmongoc's bucket, called as an ordinary program calls it: one upload or download stream for each file.

#include "bench/workload.hpp"
#include "bench/workloads/transfer.hpp"

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace bench::drivers {

/// `payload` outlives the workload.
absl::StatusOr<std::unique_ptr<workload>> open_libmongoc_transfer(const workloads::transfer& what,
                                                                  workloads::transfer_payload& payload,
                                                                  const std::string& uri,
                                                                  std::chrono::milliseconds timeout);

}  // namespace bench::drivers
