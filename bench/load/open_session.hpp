#pragma once
// How the connections of a tight loop are opened, by each client.

#include "wire/watchdog.hpp"

#include "bench/load/plan.hpp"

#include <string>
#include <vector>

namespace bench::load {

using session_opener = std::function<absl::StatusOr<session>()>;

struct session_options {
  std::string client = "raw";                   ///< raw | libpq | libmongoc | floor
  std::vector<std::string> ops;                 ///< all of one protocol
  std::optional<workloads::sql_statement> own;  ///< the op "sql"
  wire::nagle delay = wire::nagle::off;         ///< raw alone
  std::size_t depth = 1;  ///< raw PostgreSQL alone: so many of each op, to be in flight at a time
};

/// InvalidArgument for a client that has not all of the ops. `served_by` and `dog` outlive the opener and its sessions.
absl::StatusOr<session_opener> open_by(const session_options& how, const peer& served_by,
                                       wire::watchdog& dog);

}  // namespace bench::load
