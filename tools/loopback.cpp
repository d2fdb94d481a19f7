#include "tools/loopback.hpp"

#include "wire/connect.hpp"

#include "bench/clock.hpp"
#include "bench/floor.hpp"
#include "bench/placement.hpp"
#include "bench/statistics.hpp"

#include "fixtures/echo.hpp"
#include "fixtures/process.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace tools {

absl::StatusOr<double> echo_round_trip_ns(std::size_t request_bytes, int cpu) {
  static const std::vector<std::uint8_t> reply(echo_reply_bytes, 'e');
  const auto echo = fixtures::process::start(cpu, [request_bytes](int fd, fixtures::shared_counters&) {
    fixtures::serve_echo(fd, request_bytes, reply);
  });
  if (!echo.ok()) return echo.status();
  const auto pinned = bench::pinned_thread::to(cpu);
  if (!pinned.ok()) return pinned.status();
  const auto to =
      wire::parse_endpoint(fmt::format("tcp:127.0.0.1:{}", echo->tcp_port()), wire::protocol::mongo);
  const auto connected = wire::connect(*to.value, std::chrono::seconds(10));
  if (!connected.transport)
    return absl::UnavailableError("cannot connect to the echo: " + connected.error.message());
  bench::floor client(connected.transport->native_handle(), std::vector<std::uint8_t>(request_bytes, 'q'),
                      reply.size());
  constexpr std::uint64_t ops = 200;
  std::vector<double> rounds;
  for (int round = 0; round < 50; ++round) {
    const auto start = bench::now_ns();
    if (auto status = client.run(ops); !status.ok()) return status;
    if (round >= 10) rounds.push_back(static_cast<double>(bench::now_ns() - start) / ops);
  }
  return bench::median(rounds);
}

}  // namespace tools
