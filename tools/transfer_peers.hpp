#pragma once
// The servers of a sweep, and of a suite that is one: null servers, and real ones where they are asked for.

#include "bench/result.hpp"
#include "bench/sweep.hpp"

#include "fixtures/null_server.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace tools {

class transfer_peers {
 public:
  /// `against`: what --real names; it outlives this. Both sides are on `cpu`.
  transfer_peers(const std::vector<std::string>& against, int cpu, std::chrono::milliseconds timeout)
      : against_(against), cpu_(cpu), timeout_(timeout) {}

  /// Starts those of `protocol`. They are forked, and so come before there are threads. Two real ones are refused.
  absl::Status start(wire::protocol protocol,
                     fixtures::receive_strategy receive = fixtures::receive_strategy::store);

  const bench::sweep_peers& by_protocol() const { return peers_; }

  /// A result with context, clock and plan, and no cell.
  bench::result begin_result(const std::vector<std::string>& command_line, std::uint64_t seed) const;

 private:
  const std::vector<std::string>& against_;
  int cpu_;
  std::chrono::milliseconds timeout_;
  std::vector<std::unique_ptr<bench::peer>> started_;
  bench::sweep_peers peers_;
};

}  // namespace tools
