#pragma once
// The document workloads through the raw MongoDB client: one message per batch, one cursor per find.

#include "wire/endpoint.hpp"
#include "wire/mongo/client.hpp"

#include "bench/workloads/docs_client.hpp"
#include "bench/workloads/raw.hpp"

#include <memory>

#include "absl/status/statusor.h"

namespace bench::workloads {

/// A raw client that has said hello to `to`, which must be a MongoDB.
absl::StatusOr<std::unique_ptr<wire::mongo::client>> connect_mongo(const wire::endpoint& to,
                                                                   wire::watchdog& dog,
                                                                   const wrap_transport& wrap = {});

/// Connects to `to`. `data` and `dog` outlive the client; `collection` is one of database wirebench.
absl::StatusOr<std::unique_ptr<docs_client>> open_docs_raw(const wire::endpoint& to,
                                                           const std::string& collection,
                                                           const docs_data& data, std::uint64_t batch,
                                                           wire::watchdog& dog);

}  // namespace bench::workloads
