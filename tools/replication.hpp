#pragma once
// --processes: the same ladder in several fresh processes, one after the other, with null servers and connections of their
// own. Each gets an environment of another size, which moves its stack; the kernel places code and heap anew where it
// randomizes addresses.

#include "bench/result.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace tools {

struct replication_options {
  std::uint64_t processes = 1;
  std::uint64_t seed = 1;              ///< of the sizes; process i measures with seed + i
  std::vector<std::string> arguments;  ///< of `wirebench ladder`, without seed, budget and output
  double budget_s = 20;                ///< of all processes together, per op
  double expected_s = 0;               ///< of one process, for the progress bar
  const std::atomic<bool>* stop = nullptr;
  std::function<void(double share, const std::string& what)> on_progress;
};

struct replicated {
  absl::Status status;  ///< why a process failed, with its exit code's meaning; those before are kept
  bench::result
      result;  ///< of the whole processes, put together; without figures, comparisons and warnings of rounds
};

/// When stopped, the processes that had ended are kept; the one at work only where it is the first.
replicated run_replicated(const replication_options& how);

}  // namespace tools
