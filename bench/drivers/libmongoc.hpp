#pragma once
// The MongoDB ops through libmongoc's single-threaded client, called as an ordinary program calls it.

#include "bench/workload.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace bench::drivers {

/// Connects to `uri` and prepares `op` ("ping", "insert_one", "find_one"). `timeout` becomes libmongoc's
/// socketTimeoutMS, connectTimeoutMS and serverSelectionTimeoutMS: it polls before each read in any case, so
/// that a time-out costs it nothing more.
absl::StatusOr<std::unique_ptr<workload>> open_libmongoc(const std::string& op, const std::string& uri,
                                                         std::chrono::milliseconds timeout);

/// Several ops through one client, in that order.
absl::StatusOr<std::vector<std::unique_ptr<workload>>> open_libmongoc(const std::vector<std::string>& ops,
                                                                      const std::string& uri,
                                                                      std::chrono::milliseconds timeout);

/// "1.23.1": the library that is linked.
std::string libmongoc_version();

}  // namespace bench::drivers
