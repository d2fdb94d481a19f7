#include "bench/clock.hpp"

#include "bench/placement.hpp"
#include "bench/statistics.hpp"
#include "bench/system_file.hpp"

#include <time.h>

#include <algorithm>
#include <vector>

namespace bench {
namespace {

void measure_reads(clock_record& clock) {
  constexpr int reads = 20'000;
  std::vector<std::int64_t> steps(reads);
  for (auto& step : steps) {
    const auto before = now_ns();
    step = now_ns() - before;
  }
  std::sort(steps.begin(), steps.end());
  clock.read_cost_p50_ns = *nearest_rank(steps, 500'000);
  clock.read_cost_p99_ns = *nearest_rank(steps, 990'000);
  const auto step = std::upper_bound(steps.begin(), steps.end(), 0);
  clock.resolution_ns = step == steps.end() ? 0 : *step;
}

/// A reading on one cpu must not lie below one taken before on another.
void visit_cpus(clock_record& clock) {
  constexpr int laps = 50;
  const auto cpus = allowed_cpus();
  const auto home = pinned_thread::to(cpus.front());
  auto latest = now_ns();
  for (int lap = 0; lap < laps; ++lap) {
    for (const int cpu : cpus) {
      const auto there = pinned_thread::to(cpu);
      const auto reading = now_ns();
      if (reading < latest) ++clock.backward_steps;
      latest = std::max(latest, reading);
    }
  }
  clock.cpus_checked = static_cast<int>(cpus.size());
}

}  // namespace

std::int64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

clock_record calibrate_clock() {
  clock_record clock;
  clock.source = read_system_file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  measure_reads(clock);
  visit_cpus(clock);
  return clock;
}

}  // namespace bench
