#pragma once
// The PostgreSQL ops through libpq, called as an ordinary program calls it.

#include "wire/watchdog.hpp"

#include "bench/workload.hpp"
#include "bench/workloads/sql_statement.hpp"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace bench::drivers {

/// Connects to `uri` and prepares `op` ("select1", "select_param", "insert_row", "lowrite_256k"). libpq has
/// no time-out for an answer, so `dog`, which must outlive the workload, shuts its socket down when one does
/// not come.
absl::StatusOr<std::unique_ptr<workload>> open_libpq(const std::string& op, const std::string& uri,
                                                     wire::watchdog& dog);

/// Several ops over one connection, in that order. "sql" among them is `own`, which needs to be valid during the call alone.
absl::StatusOr<std::vector<std::unique_ptr<workload>>> open_libpq(
    const std::vector<std::string>& ops, const std::string& uri, wire::watchdog& dog,
    const workloads::sql_statement* own = nullptr);

/// "15.20": the library that is linked.
std::string libpq_version();

}  // namespace bench::drivers
