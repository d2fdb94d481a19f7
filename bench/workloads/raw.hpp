#pragma once
// The ops of the default op set through the raw clients.

#include "wire/channel.hpp"
#include "wire/endpoint.hpp"

#include "bench/workload.hpp"

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace bench::workloads {

/// A raw workload also lends its socket, for the floor client to work on.
class raw_workload : public workload {
 public:
  std::optional<std::uint64_t> syscalls() const final;
  std::optional<traffic> counted() const final;

  /// The socket, or -1 in memory.
  int native_handle() const { return channel().native_handle(); }

  /// Runs op after op through `op`, which is what the derived class times.
  absl::Status run(std::uint64_t ops) final;

 protected:
  virtual const wire::channel& channel() const = 0;

  /// One op. Its error is explained by the channel's why().
  virtual wire::error_code op() = 0;
};

using opened_raw = absl::StatusOr<std::unique_ptr<raw_workload>>;

/// Logs in over `transport` and prepares the op ("ping", "insert_one", "find_one"). `dog` outlives the workload.
opened_raw open_mongo(const std::string& op, std::unique_ptr<wire::transport> transport, wire::watchdog& dog);

/// The same for "select1", "select_param", "insert_row" and "lowrite_256k"; `login` names user, password and database.
opened_raw open_pg(const std::string& op, std::unique_ptr<wire::transport> transport,
                   const wire::endpoint& login, wire::watchdog& dog);

/// Over a connection to `to`, whose protocol says which of the two.
opened_raw open_raw(const std::string& op, const wire::endpoint& to, wire::watchdog& dog);

}  // namespace bench::workloads
