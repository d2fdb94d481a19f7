#pragma once
// How a raw workload comes to its connection.

#include "wire/endpoint.hpp"
#include "wire/pg/client.hpp"
#include "wire/transport.hpp"
#include "wire/watchdog.hpp"

#include <memory>

#include "absl/status/statusor.h"

namespace bench::workloads {

/// A connection to `to` within the time-out of `dog`, or a sentence that says why there is none.
absl::StatusOr<std::unique_ptr<wire::transport>> connect(const wire::endpoint& to, const wire::watchdog& dog,
                                                         wire::nagle delay = wire::nagle::off);

/// Opens the session of `client` as `login` names user, password, database and parameters.
absl::Status log_in(wire::pg::client& client, const wire::endpoint& login);

}  // namespace bench::workloads
