#include "tools/ladder_peers.hpp"

#include "fixtures/null_server.hpp"

#include "tools/peers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tools {
namespace {

/// A real server for the context: what it is, and how it is set up where that is known.
std::string describe(const bench::peer& real) {
  const auto name = real.name();
  if (real.delayed()) return name + ", a null server";
  if (name.find(" at ") != std::string::npos) return name + ", as its owner runs it";
  if (name.starts_with("PostgreSQL")) return name + ", temporary cluster, server defaults, fsync on";
  if (name.starts_with("SecantusDB")) return name + ", standalone, in memory";
  return name + ", as its owner runs it";
}

absl::Status check_spoken(const std::string& server, const chosen_ops& ops) {
  for (const auto* one : ops) {
    const auto speaking = speaks(server, one->protocol);
    if (!speaking.ok()) return speaking.status();
    if (*speaking) return absl::OkStatus();
  }
  return absl::InvalidArgumentError("--real names a server that none of the ops speaks to");
}

}  // namespace

absl::Status check_reals(const ladder_options& options, const chosen_ops& ops) {
  const auto named = std::find_if(options.rungs.begin(), options.rungs.end(), bench::needs_real);
  const bool needed = named != options.rungs.end();
  if (needed && options.against.empty())
    return absl::InvalidArgumentError(fmt::format("--rung {} needs a server: add --real", *named));
  if (!needed && !options.against.empty() && !options.rungs.empty()) {
    return absl::InvalidArgumentError(
        "--real without the rung `real`: add it to --rung, or leave --real out");
  }
  for (const auto& server : options.against) {
    if (auto status = check_spoken(server, ops); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status started_peers::start(const ladder_options& options, const chosen_ops& ops) {
  for (const auto* what : ops) {
    auto& null = of(what->protocol).null;
    if (null) continue;
    auto started = start_null(what->protocol, options.cpu, *fixtures::mongo_profile_named(options.profile));
    if (!started.ok()) return started.status();
    null = *std::move(started);
  }
  for (const auto protocol : {wire::protocol::mongo, wire::protocol::pg}) {
    if (!of(protocol).null) continue;  // no op speaks it
    if (auto status = start_real_of(protocol, options); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status started_peers::start_real_of(wire::protocol protocol, const ladder_options& options) {
  auto& real = of(protocol).real;
  for (const auto& what : options.against) {
    if (!*speaks(what, protocol)) continue;
    if (real)
      return absl::InvalidArgumentError("--real names two servers of one protocol; measure one at a time");
    auto started = start_real(what, protocol, options.cpu, options.timeout(),
                              *fixtures::mongo_profile_named(options.profile));
    if (!started.ok()) return started.status();
    real = *std::move(started);
  }
  return absl::OkStatus();
}

bench::ladder_peers started_peers::of(const bench::op& what) const {
  const auto& peers = of(what.protocol);
  return {.null = peers.null.get(), .real = peers.real.get()};
}

std::vector<std::pair<std::string, std::string>> started_peers::described(
    const ladder_options& options) const {
  std::vector<std::pair<std::string, std::string>> lines{
      {"null_servers", fmt::format("receive strategy {}; MongoDB profile {}, wire versions 0 to 21",
                                   fixtures::name(fixtures::receive_strategy::store), options.profile)}};
  for (const auto* real : {mongo_.real.get(), pg_.real.get()}) {
    if (real != nullptr) lines.emplace_back("real_server", describe(*real));
  }
  return lines;
}

}  // namespace tools
