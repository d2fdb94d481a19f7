#pragma once
// A server that document tests run on: a crew per client, each with its own collection, and a connection for what is not
// timed.

#include "wire/mongo/client.hpp"

#include "bench/docs.hpp"
#include "bench/docs_crew.hpp"

#include <deque>

#include "absl/status/statusor.h"

namespace bench {

class docs_target {
 public:
  struct client {
    labels what;  ///< without id and op
    std::string collection;
    docs_crew crew;

    client(labels is, std::string in, std::vector<docs_crew::client> connections)
        : what(std::move(is)), collection(std::move(in)), crew(std::move(connections)) {}
  };

  /// Connects every client, one connection after the other, and drops what an earlier run has left. All references outlive
  /// the target; `server_pid` names the process where `served_by` does not.
  static absl::StatusOr<std::unique_ptr<docs_target>> open(const peer& served_by, bool real,
                                                           std::optional<pid_t> server_pid,
                                                           const docs_options& options,
                                                           const workloads::docs_data& data,
                                                           wire::watchdog& dog);

  const peer& served_by() const { return served_by_; }
  std::deque<client>& clients() { return clients_; }

  /// Why the server's process is not on the cpu of the clients; ok when it is.
  const absl::Status& placed() const { return placed_; }

  /// CPU time of the server's process so far; empty when it is not known.
  std::optional<std::int64_t> server_cpu_ns() const;

  /// Takes the documents with an _id from `first` to below `end` away; DataLoss when there were not as many.
  absl::Status remove(const client& of, std::uint64_t first, std::uint64_t end);

  /// Bytes of the collection's documents as the server tells (collStats); empty when it does not.
  std::optional<std::uint64_t> stored_bytes(const client& of);

  absl::Status drop_collections();

 private:
  docs_target(const peer& served_by, std::optional<pid_t> pid) : served_by_(served_by), pid_(pid) {}

  const peer& served_by_;
  std::optional<pid_t> pid_;
  absl::Status placed_;
  std::unique_ptr<wire::mongo::client> keeper_;
  std::deque<client> clients_;
};

}  // namespace bench
