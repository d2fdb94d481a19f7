#pragma once
// The document workloads through libmongoc, called as an ordinary program calls it: bulk operations of one batch each, and
// cursors that are walked to their end. One single-threaded client per connection.

#include "bench/workloads/docs_client.hpp"

#include <chrono>
#include <memory>

#include "absl/status/statusor.h"

namespace bench::drivers {

/// `data` outlives the client; `collection` is one of database wirebench.
absl::StatusOr<std::unique_ptr<workloads::docs_client>> open_docs_libmongoc(
    const std::string& uri, const std::string& collection, const workloads::docs_data& data,
    std::uint64_t batch, std::chrono::milliseconds timeout);

}  // namespace bench::drivers
