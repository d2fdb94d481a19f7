#pragma once
// Whom a ladder is measured against: a null server of each protocol that its ops speak, and what --real names.

#include "bench/peer.hpp"

#include "tools/ladder_options.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace tools {

/// What --real and --rung ask for must fit each other and the ops.
absl::Status check_reals(const ladder_options& options, const chosen_ops& ops);

class started_peers {
 public:
  /// Forks, which must happen before there are threads. For what check_reals() has passed.
  absl::Status start(const ladder_options& options, const chosen_ops& ops);

  /// Of the op's protocol; they live as long as this.
  bench::ladder_peers of(const bench::op& what) const;

  /// For the context: "null_servers" and "real_server".
  std::vector<std::pair<std::string, std::string>> described(const ladder_options& options) const;

 private:
  struct pair {
    std::unique_ptr<bench::peer> null;
    std::unique_ptr<bench::peer> real;
  };

  absl::Status start_real_of(wire::protocol protocol, const ladder_options& options);
  const pair& of(wire::protocol protocol) const { return protocol == wire::protocol::mongo ? mongo_ : pg_; }
  pair& of(wire::protocol protocol) { return protocol == wire::protocol::mongo ? mongo_ : pg_; }

  pair mongo_;
  pair pg_;
};

}  // namespace tools
