#include "bench/workloads/file_server.hpp"

#include "wire/status.hpp"

#include "bench/placement.hpp"
#include "bench/server_error.hpp"
#include "bench/server_process.hpp"

#include <fmt/format.h>

namespace bench::workloads {

labels file_server_backend::what() const {
  labels is{};
  is.rung = how_.null ? "tcp0" : "real";
  is.client = "raw";
  is.peer = how_.served_by->name();
  is.transport = to_.is_unix() ? "unix" : "tcp";
  is.placement = bench::name(placement::unpinned);
  is.profile = how_.served_by->profile();
  return is;
}

std::vector<pid_t> file_server_backend::server_processes() const {
  for (const auto& known : {how_.served_by->pid(), how_.server_pid, told_pid()}) {
    if (known) return with_descendants(*known);
  }
  return {};
}

absl::StatusOr<wire::endpoint> endpoint_of(const file_server_setup& how, wire::protocol wanted) {
  const auto parsed = wire::parse_endpoint(how.served_by->tcp_uri());
  if (!parsed.value) return absl::InvalidArgumentError(parsed.problem);
  if (parsed.value->protocol != wanted)
    return absl::InvalidArgumentError(fmt::format("{} speaks another protocol", parsed.value->display()));
  return *parsed.value;
}

absl::Status file_status(const codecs::error_code& error, const std::string& doing, const std::string& why,
                         const std::string& code) {
  return with_server_code(wire::to_status(error, doing, why), code);
}

}  // namespace bench::workloads
