#pragma once
// Where results are kept.

#include "bench/result.hpp"

#include <string>

#include "absl/status/statusor.h"

namespace tools {

/// Writes `measured` to `path`, or, when that is empty, to a new file named after `kind` and the time under
/// ${XDG_STATE_HOME:-~/.local/state}/wirebench/. Returns the path. A half-written file is never left under
/// that name. What stands there and is no regular file (a pipe, a device, a link to anything) is written
/// into, never replaced.
absl::StatusOr<std::string> save(const bench::result& measured, const std::string& kind,
                                 const std::string& path);

/// Writes a text to `path` as save() does a result.
absl::Status write_file(const std::string& path, const std::string& text);

/// Reads a result that was saved. InvalidArgument when there is no such file, DataLoss when it cannot be understood; both name
/// it.
absl::StatusOr<bench::result> load(const std::string& path);

}  // namespace tools
