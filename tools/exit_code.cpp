#include "tools/exit_code.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace tools {
namespace {

exit_code code_of(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return success;
    case absl::StatusCode::kInvalidArgument:
      return usage;
    case absl::StatusCode::kDataLoss:
      return undecodable;
    case absl::StatusCode::kCancelled:
      return interrupted;
    default:
      return failure;
  }
}

}  // namespace

int report(const absl::Status& status) {
  if (!status.ok()) fmt::print(stderr, "wirebench: {}\n", std::string(status.message()));
  return code_of(status);
}

}  // namespace tools
