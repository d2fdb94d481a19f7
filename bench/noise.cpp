#include "bench/noise.hpp"

#include "bench/placement.hpp"
#include "bench/statistics.hpp"
#include "bench/system_file.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

namespace bench {
namespace {

constexpr const char* stat_path = "/proc/stat";
constexpr const char* pressure_path = "/proc/pressure/cpu";
constexpr const char* sched_path = "/proc/thread-self/sched";

// proc(5): "cpuN user nice system idle iowait irq softirq steal guest guest_nice"
constexpr int steal_field = 8;

/// These files grow with their numbers.
constexpr std::size_t room_to_grow = 1024;

int open_sensor(const char* path) {
  return ::open(path, O_RDONLY | O_CLOEXEC);
}

/// The `which`-th number, counted from 1, behind `label`; the numbers stand apart by blanks.
std::optional<std::int64_t> number_behind(std::string_view text, std::string_view label, int which = 1) {
  const auto found = text.find(label);
  if (found == std::string_view::npos) return std::nullopt;
  const char* next = text.data() + found + label.size();
  const char* const end = text.data() + text.size();
  std::int64_t value = 0;
  for (int field = 0; field < which; ++field) {
    while (next != end && *next == ' ') ++next;
    const auto [behind, error] = std::from_chars(next, end, value);
    if (error != std::errc{}) return std::nullopt;
    next = behind;
  }
  return value;
}

using total = std::optional<std::int64_t>;

/// Median over rounds of a count per op.
template <typename Count>
double median_rate(const cell& measured, Count count) {
  std::vector<double> rates;
  for (const auto& timed : measured.rounds)
    rates.push_back(static_cast<double>(count(timed)) / static_cast<double>(timed.ops));
  return rates.empty() ? 0 : median(rates);
}

/// Part of a round's time; 0 where the kernel does not tell.
double pressure_share(const round& timed) {
  return static_cast<double>(timed.pressure_us.value_or(0)) * 1e3 / static_cast<double>(timed.elapsed_ns);
}

/// What the two sides make each other wait.
double own_pressure_share(const cell& measured) {
  if (measured.what.placement != name(placement::same_cpu) || measured.rounds.empty()) return 0;
  std::vector<double> shares;
  for (const auto& timed : measured.rounds) shares.push_back(pressure_share(timed));
  return median(shares);
}

std::int64_t faults(const round& timed) {
  return timed.minor_faults + timed.major_faults;
}

total difference(const total& later, const total& earlier) {
  return later && earlier ? total(*later - *earlier) : std::nullopt;
}

}  // namespace

noise_reading noise_reading::operator-(const noise_reading& earlier) const {
  return {.steal_ticks = difference(steal_ticks, earlier.steal_ticks),
          .pressure_us = difference(pressure_us, earlier.pressure_us),
          .migrations = difference(migrations, earlier.migrations)};
}

noise_sensors::noise_sensors(int cpu)
    : cpu_(cpu),
      stat_(open_sensor(stat_path)),
      pressure_(open_sensor(pressure_path)),
      sched_(open_sensor(sched_path)) {
  std::size_t longest = 0;
  for (const auto* path : {stat_path, pressure_path, sched_path})
    longest = std::max(longest, read_system_file(path).size());
  buffer_.resize(longest + room_to_grow);
}

noise_sensors::~noise_sensors() {
  for (const int file : {stat_, pressure_, sched_}) {
    if (file >= 0) ::close(file);
  }
}

noise_reading noise_sensors::read() {
  return {.steal_ticks = steal_ticks_in(text_of(stat_), cpu_),
          .pressure_us = pressure_us_in(text_of(pressure_)),
          .migrations = migrations_in(text_of(sched_))};
}

/// Valid until the next call.
std::string_view noise_sensors::text_of(int file) {
  const auto size = ::pread(file, buffer_.data(), buffer_.size(), 0);
  return {buffer_.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

void flag_rounds(std::vector<cell>& cells, int cpu, const round_limits& limits) {
  for (auto& measured : cells) {
    const auto switch_rate =
        median_rate(measured, [](const round& timed) { return timed.involuntary_switches; });
    const auto fault_rate = median_rate(measured, faults);
    const auto own_pressure = own_pressure_share(measured);
    for (auto& timed : measured.rounds) {
      const auto beyond = [&](std::int64_t count, double rate) {
        return static_cast<double>(count - limits.spare) > rate * static_cast<double>(timed.ops);
      };
      timed.flags = {
          .steal = timed.steal_ticks.value_or(0) > 0,
          .pressure = pressure_share(timed) - own_pressure > limits.pressure,
          .taken = taken_share(measured, timed).value_or(0) > limits.taken,
          .switches = beyond(timed.involuntary_switches, limits.switches * switch_rate),
          .faults = timed.major_faults > 0 || beyond(timed.minor_faults, fault_rate),
          .migrated = timed.migrations.value_or(0) > 0 || timed.cpu_start != cpu || timed.cpu_end != cpu};
    }
  }
}

std::optional<double> taken_share(const cell& measured, const round& timed) {
  const auto& what = measured.what;
  const bool never_idle =
      what.peer == "null" && !what.service_ns && what.placement == name(placement::same_cpu);
  const bool in_this_thread = what.transport == "mem";
  if (!never_idle || timed.elapsed_ns <= 0 || !(timed.server_cpu_ns || in_this_thread)) return std::nullopt;
  const auto ours_ns = timed.client_cpu_ns + timed.server_cpu_ns.value_or(0);
  return 1 - static_cast<double>(ours_ns) / static_cast<double>(timed.elapsed_ns);
}

std::optional<std::int64_t> steal_ticks_in(std::string_view stat, int cpu) {
  return number_behind(stat, fmt::format("cpu{} ", cpu), steal_field);
}

/// "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234": the first line is that of "some".
std::optional<std::int64_t> pressure_us_in(std::string_view pressure) {
  return pressure.starts_with("some ") ? number_behind(pressure, "total=") : std::nullopt;
}

/// "se.nr_migrations                             :                    3"
std::optional<std::int64_t> migrations_in(std::string_view sched) {
  const auto line = sched.find("se.nr_migrations");
  return line == std::string_view::npos ? std::nullopt : number_behind(sched.substr(line), ":");
}

}  // namespace bench
