#include "bench/standstill.hpp"

#include "bench/statistics.hpp"

#include <algorithm>

namespace bench {
namespace {

constexpr double tick_ns = 1e7;

/// Neither side was on the cpu.
double idle_ns(const round& timed) {
  return static_cast<double>(timed.elapsed_ns - timed.client_cpu_ns - timed.server_cpu_ns.value_or(0));
}

double usual_idle_ns(const cell& measured) {
  std::vector<double> values;
  for (const auto& timed : measured.rounds) values.push_back(idle_ns(timed));
  return median(values);
}

}  // namespace

std::optional<standstill> standstill_of(const cell& measured) {
  if (measured.rounds.empty()) return std::nullopt;
  const double usual_ns = usual_idle_ns(measured);
  standstill found;
  for (const auto& timed : measured.rounds) {
    const double stolen_ns = static_cast<double>(timed.steal_ticks.value_or(0)) * tick_ns;
    const double gap_ns = idle_ns(timed) - usual_ns - stolen_ns;
    if (gap_ns < standstill_ns) continue;
    ++found.rounds;
    found.ns += gap_ns;
    found.pressed_ns += std::min(static_cast<double>(timed.pressure_us.value_or(0)) * 1e3, gap_ns);
  }
  return found.rounds > 0 ? std::optional(found) : std::nullopt;
}

}  // namespace bench
