#pragma once
// The ops of the default op set through the raw clients.

#include "wire/channel.hpp"
#include "wire/endpoint.hpp"

#include "bench/workload.hpp"
#include "bench/workloads/sql_statement.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace bench::workloads {

/// A raw workload also lends its socket, for the floor client to work on, and its op as an exchange, for a loop that runs the
/// ops of many connections on one thread (wire/async_channel.hpp):
///
///   error = co_await async.async_run(raw.next_op());      status = raw.outcome(error);
class raw_workload : public workload {
 public:
  std::optional<std::uint64_t> syscalls() const final;
  std::optional<traffic> counted() const final;
  std::optional<std::uint64_t> copied_bytes() const final { return channel_.copied_bytes(); }
  std::optional<std::uint64_t> round_trips() const final { return channel_.counters().turns; }

  /// Shared by all workloads of one connection.
  wire::channel& channel() { return channel_; }

  /// The socket, or -1 in memory.
  int native_handle() const { return channel_.native_handle(); }

  /// Runs op after op.
  absl::Status run(std::uint64_t ops) final;

  /// Makes the next op ready to be run on channel(); it lives until the call after it.
  virtual codecs::exchange& next_op() = 0;

  /// What has come of the op that was run.
  absl::Status outcome(wire::error_code error) const {
    if (!error && as_expected()) [[likely]]
      return absl::OkStatus();
    return failed(error);
  }

  /// The same for an op that the server has refused inside of another exchange (codecs::window): why() is the op's.
  absl::Status refused(const std::string& why) const;

 protected:
  /// `channel` lives as long as the workload.
  explicit raw_workload(wire::channel& channel) : channel_(channel) {}

  /// Whether the reply is the one that the op must get, beside being valid.
  virtual bool as_expected() const { return true; }

  /// The code that the server gave its last error; empty when it gave none.
  virtual std::string server_code() const { return {}; }

 private:
  absl::Status failed(wire::error_code error) const;

  wire::channel& channel_;
};

/// An op of both raw clients beside the op set: what a server does for any message and nothing else, `hello` for MongoDB
/// and a bare Sync for PostgreSQL. Its bytes are its own, so it is compared with itself on the null server.
inline constexpr char noop_op[] = "noop";

using opened_raw = absl::StatusOr<std::unique_ptr<raw_workload>>;
using opened_raws = absl::StatusOr<std::vector<std::unique_ptr<raw_workload>>>;

/// Logs in over `transport` and prepares the op ("ping", "insert_one", "find_one"). `dog` outlives the workload.
opened_raw open_mongo(const std::string& op, std::unique_ptr<wire::transport> transport, wire::watchdog& dog);

/// The same for "select1", "select_param", "insert_row" and "lowrite_256k"; `login` names user, password and database.
opened_raw open_pg(const std::string& op, std::unique_ptr<wire::transport> transport,
                   const wire::endpoint& login, wire::watchdog& dog);

/// Puts something around a connected transport.
using wrap_transport =
    std::function<std::unique_ptr<wire::transport>(std::unique_ptr<wire::transport> connected)>;

/// Over a connection to `to`, whose protocol says which of the two.
opened_raw open_raw(const std::string& op, const wire::endpoint& to, wire::watchdog& dog,
                    const wrap_transport& wrap = {});

// The same for several ops over one connection, at least one; they come back in that order. "sql" among them is `own`, which
// needs to be valid during the call alone; each one draws parameters of its own.
opened_raws open_mongo(const std::vector<std::string>& ops, std::unique_ptr<wire::transport> transport,
                       wire::watchdog& dog);
opened_raws open_pg(const std::vector<std::string>& ops, std::unique_ptr<wire::transport> transport,
                    const wire::endpoint& login, wire::watchdog& dog, const sql_statement* own = nullptr);
opened_raws open_raw(const std::vector<std::string>& ops, const wire::endpoint& to, wire::watchdog& dog,
                     const wrap_transport& wrap = {}, const sql_statement* own = nullptr,
                     wire::nagle delay = wire::nagle::off);

}  // namespace bench::workloads
