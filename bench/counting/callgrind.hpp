#pragma once
// Instructions in user space, counted by valgrind's callgrind: slow, and the same in any weather.

#include "bench/counting/subprocess.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace bench::counting {

/// A run under callgrind. Several may run at once: instructions do not depend on the weather.
class callgrind_run {
 public:
  /// `valgrind` is its path.
  static absl::StatusOr<callgrind_run> start(const std::string& valgrind, const words& command);

  /// Waits for its end: instructions of the command's first thread, the one that runs the ops.
  absl::StatusOr<std::uint64_t> instructions();

 private:
  callgrind_run(std::shared_ptr<const std::string> directory, subprocess run)
      : directory_(std::move(directory)), run_(std::move(run)) {}

  std::shared_ptr<const std::string> directory_;  // of its output files; removed with the handle
  subprocess run_;
};

/// The path of valgrind, looked for along PATH; empty when it is not installed.
std::optional<std::string> find_valgrind();

/// The sum that a callgrind output file tells in its line "totals: 58563179".
std::optional<std::uint64_t> callgrind_total_in(std::string_view file);

}  // namespace bench::counting
