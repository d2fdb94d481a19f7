#include "bench/workloads/connect.hpp"

#include "wire/connect.hpp"
#include "wire/status.hpp"

#include <fmt/format.h>

namespace bench::workloads {

absl::StatusOr<std::unique_ptr<wire::transport>> connect(const wire::endpoint& to, const wire::watchdog& dog,
                                                         wire::nagle delay) {
  if (!to.unsupported.empty()) {
    return absl::UnimplementedError(
        fmt::format("{} asks for {}, which comes later", to.display(), to.unsupported));
  }
  auto connected = wire::connect(to, dog.timeout(), delay);
  if (!connected.transport) {
    return wire::to_status(connected.error, fmt::format("cannot connect to {}", to.display()));
  }
  return std::move(connected.transport);
}

absl::Status log_in(wire::pg::client& client, const wire::endpoint& login) {
  const std::vector<codecs::pg::parameter> parameters(login.parameters.begin(), login.parameters.end());
  const auto error = client.log_in(
      {.user = login.user, .database = login.database, .password = login.password, .parameters = parameters});
  return wire::to_status(error, "log-in", client.why());
}

}  // namespace bench::workloads
