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

double pressed_share(const round& timed) {
  return static_cast<double>(timed.pressure_us.value_or(0)) * 1e3 / static_cast<double>(timed.elapsed_ns);
}

template <typename Figure>
double usual(const cell& measured, Figure figure) {
  std::vector<double> values;
  for (const auto& timed : measured.rounds) values.push_back(figure(timed));
  return median(values);
}

}  // namespace

std::optional<standstill> standstill_of(const cell& measured) {
  if (measured.rounds.empty()) return std::nullopt;
  const double usual_idle_ns = usual(measured, idle_ns);
  const double usual_share = usual(measured, pressed_share);
  standstill found;
  for (const auto& timed : measured.rounds) {
    const double stolen_ns = static_cast<double>(timed.steal_ticks.value_or(0)) * tick_ns;
    const double pressed_ns =
        std::max(0.0, pressed_share(timed) - usual_share) * static_cast<double>(timed.elapsed_ns);
    const double gap_ns = idle_ns(timed) - usual_idle_ns - stolen_ns - pressed_ns;
    if (gap_ns < standstill_ns) continue;
    ++found.rounds;
    found.ns += gap_ns;
  }
  return found.rounds > 0 ? std::optional(found) : std::nullopt;
}

}  // namespace bench
