#pragma once
// A cell that is to be measured.

#include "bench/peer.hpp"
#include "bench/result.hpp"
#include "bench/workload.hpp"

#include <functional>
#include <memory>

#include "absl/status/statusor.h"

namespace bench {

struct cell_plan {
  labels what;

  /// Connects and prepares. Called again for every set of fresh connections, after the workload before is
  /// gone.
  std::function<absl::StatusOr<std::unique_ptr<workload>>()> open;

  /// What answers, alive as long as the run; null when it answers in this very thread (mem), whose CPU time
  /// and traffic are then the client's own.
  const peer* served_by = nullptr;

  /// Cells of one name are compared with each other, so they share their rows, whichever side of the edge of a speed group
  /// each of them falls on. Empty: it goes where its own speed puts it.
  std::string group_with{};
};

}  // namespace bench
