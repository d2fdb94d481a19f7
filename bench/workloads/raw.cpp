#include "bench/workloads/raw.hpp"

#include "wire/connect.hpp"
#include "wire/status.hpp"

#include <fmt/format.h>

namespace bench::workloads {

absl::Status raw_workload::run(std::uint64_t ops) {
  for (std::uint64_t i = 0; i < ops; ++i) {
    if (const auto error = op()) return wire::to_status(error, "raw client", channel().why());
  }
  return absl::OkStatus();
}

std::optional<std::uint64_t> raw_workload::syscalls() const {
  const bool in_memory = native_handle() < 0;  // its reads and writes are calls of functions
  return in_memory ? 0 : channel().counters().syscalls();
}

std::optional<traffic> raw_workload::counted() const {
  const auto& counters = channel().counters();
  return traffic{.frames_out = counters.frames_out,
                 .frames_in = counters.frames_in,
                 .bytes_out = counters.bytes_out,
                 .bytes_in = counters.bytes_in};
}

opened_raw open_raw(const std::string& op, const wire::endpoint& to, wire::watchdog& dog) {
  if (!to.unsupported.empty()) {
    return absl::UnimplementedError(
        fmt::format("{} asks for {}, which comes later", to.display(), to.unsupported));
  }
  auto connected = wire::connect(to, dog.timeout());
  if (!connected.transport) {
    return wire::to_status(connected.error, fmt::format("cannot connect to {}", to.display()));
  }
  return to.protocol == wire::protocol::mongo ? open_mongo(op, std::move(connected.transport), dog)
                                              : open_pg(op, std::move(connected.transport), to, dog);
}

}  // namespace bench::workloads
