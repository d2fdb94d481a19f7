#include "tools/exit_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

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
    default:
      return failure;
  }
}

/// Servers and libpq break their lines; and what a server says must not steer the terminal.
std::string one_line(std::string text) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  std::replace_if(text.begin(), text.end(), is_control, ' ');
  const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), both_blank), text.end());
  return text;
}

}  // namespace

int report(const absl::Status& status) {
  if (!status.ok()) fmt::print(stderr, "wirebench: {}\n", one_line(std::string(status.message())));
  return code_of(status);
}

int report(const absl::Status& status, bool stopped, exit_code found) {
  if (!status.ok()) return report(status);
  return stopped ? interrupted : found;
}

}  // namespace tools
