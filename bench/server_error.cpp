#include "bench/server_error.hpp"

#include "absl/strings/cord.h"

namespace bench {
namespace {

constexpr char payload[] = "wirebench/server-code";

}  // namespace

absl::Status with_server_code(absl::Status error, const std::string& code) {
  if (!error.ok() && !code.empty()) error.SetPayload(payload, absl::Cord(code));
  return error;
}

std::string server_code(const absl::Status& error) {
  const auto code = error.GetPayload(payload);
  return code ? std::string(*code) : std::string();
}

}  // namespace bench
