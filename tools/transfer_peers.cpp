#include "tools/transfer_peers.hpp"

#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libpq.hpp"
#include "bench/environment.hpp"

#include "tools/peers.hpp"

namespace tools {

absl::Status transfer_peers::start(wire::protocol protocol, fixtures::receive_strategy receive) {
  const bool mongo = protocol == wire::protocol::mongo;
  auto null = start_null(protocol, cpu_, fixtures::mongo_profile::standalone, receive);
  if (!null.ok()) return null.status();
  (mongo ? peers_.mongo : peers_.pg) = null->get();
  started_.push_back(*std::move(null));
  auto& real = mongo ? peers_.real_mongo : peers_.real_pg;
  for (const auto& server : against_) {
    const auto fits = speaks(server, protocol);
    if (!fits.ok()) return fits.status();
    if (!*fits) continue;
    if (real != nullptr)
      return absl::InvalidArgumentError("--real names two servers of one protocol; measure one at a time");
    auto started = start_real(server, protocol, cpu_, timeout_);
    if (!started.ok()) return started.status();
    real = started->get();
    started_.push_back(*std::move(started));
  }
  return absl::OkStatus();
}

bench::result transfer_peers::begin_result(const std::vector<std::string>& command_line,
                                           std::uint64_t seed) const {
  bench::result begun;
  begun.context = bench::read_environment(
      {{"libmongoc", bench::drivers::libmongoc_version()}, {"libpq", bench::drivers::libpq_version()}},
      command_line);
  for (const auto* real : {peers_.real_mongo, peers_.real_pg}) {
    if (real != nullptr) begun.context.emplace_back("real_server", real->name());
  }
  begun.clock = bench::calibrate_clock();
  begun.warnings = bench::doubts(begun.context, begun.clock);
  begun.plan.seed = seed;
  begun.plan.cpu = cpu_;
  return begun;
}

}  // namespace tools
