#pragma once
// io_uring is a program of its own, wirebench-uring: the same one, linked with Asio on io_uring (wire/meson.build).

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tools {

/// Makes sure that reactors of this process are io_uring. Another program becomes wirebench-uring, which it looks for beside
/// itself, with the same command line, and does not return. wirebench-uring itself returns OK if the kernel permits
/// io_uring. To be called before anything is started or printed. The error says what is missing: FailedPrecondition.
absl::Status ensure_uring(const std::vector<std::string>& command_line);

/// The path of wirebench-uring for a program that runs it as its child; FailedPrecondition if it was not built.
absl::StatusOr<std::string> uring_program();

}  // namespace tools
