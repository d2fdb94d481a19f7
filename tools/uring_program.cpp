#include "tools/uring_program.hpp"

#include "wire/loop.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tools {

absl::StatusOr<std::string> uring_program() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  auto program = self.parent_path() / "wirebench-uring";
  if (::access(program.c_str(), X_OK) == 0) return program;
  return absl::FailedPreconditionError(fmt::format(
      "io_uring was not built: there is no {} (install liburing-dev, then configure and build again)",
      program.string()));
}

absl::Status ensure_uring(const std::vector<std::string>& command_line) {
  if (wire::loop::reactor_name() == "io_uring") {
    const auto refused = wire::loop::probe();
    if (!refused) return absl::OkStatus();
    return absl::FailedPreconditionError(fmt::format(
        "this kernel does not permit io_uring ({}); see sysctl kernel.io_uring_disabled and the container's "
        "seccomp profile",
        refused.message()));
  }
  const auto program = uring_program();
  if (!program.ok()) return program.status();
  std::vector<char*> arguments;
  for (const auto& each : command_line) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  ::execv(program->c_str(), arguments.data());
  return absl::FailedPreconditionError(fmt::format("cannot run {}: {}", *program, std::strerror(errno)));
}

}  // namespace tools
