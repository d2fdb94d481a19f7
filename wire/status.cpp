#include "wire/status.hpp"

#include <fmt/format.h>

namespace wire {
namespace {

absl::StatusCode status_code(const codecs::error_code& error) {
  using codecs::errc;
  if (error.category() != make_error_code(errc::ok).category()) return absl::StatusCode::kUnavailable;
  switch (static_cast<errc>(error.value())) {
    case errc::ok:
      return absl::StatusCode::kOk;
    case errc::local_message_too_long:
    case errc::local_too_many_parameters:
    case errc::local_bad_value:
    case errc::local_wrong_state:
    case errc::local_payload:
    case errc::remote_server_error:
      return absl::StatusCode::kFailedPrecondition;
    case errc::remote_unsupported:
      return absl::StatusCode::kUnimplemented;
    case errc::remote_hang_up:
      return absl::StatusCode::kUnavailable;
    case errc::remote_timeout:
      return absl::StatusCode::kDeadlineExceeded;
    default:
      return absl::StatusCode::kDataLoss;
  }
}

}  // namespace

absl::Status to_status(const codecs::error_code& error, const std::string& doing, const std::string& why) {
  if (!error) return absl::OkStatus();
  return {status_code(error), fmt::format("{}: {}", doing, why.empty() ? error.message() : why)};
}

}  // namespace wire
