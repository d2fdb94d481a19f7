#include "bench/calibration.hpp"

#include "fixtures/datasets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace bench {
namespace {

constexpr std::size_t draws = 1'000;
constexpr double us = 1e3;

/// What one set of rows says.
struct reading {
  std::vector<calibration::point> points;  // ascending, D = 0 first
  double real_ns = 0;
  std::optional<double> k;
  double service_ns = 0;  // infinite beyond the outermost point

  double client_ns() const { return points.front().time_ns; }
  double server_ns() const { return *k * service_ns; }
  double waiting_ns() const { return real_ns - client_ns() - server_ns(); }
};

/// Least squares over the points where w is flat.
std::optional<double> slope(std::span<const calibration::point> points) {
  double n = 0, sum_d = 0, sum_t = 0;
  for (const auto& point : points) {
    if (point.service_ns < flat_from_ns) continue;
    n += 1, sum_d += point.service_ns, sum_t += point.time_ns;
  }
  double dd = 0, dt = 0;
  for (const auto& point : points) {
    if (point.service_ns < flat_from_ns) continue;
    const double d = point.service_ns - sum_d / n;
    dd += d * d, dt += d * (point.time_ns - sum_t / n);
  }
  return dd > 0 ? std::optional(dt / dd) : std::nullopt;
}

/// D at which the null server takes `time_ns`. Noise may bend the curve back; the first crossing counts.
double read_off(std::span<const calibration::point> points, double time_ns) {
  if (time_ns <= points.front().time_ns) return 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto &below = points[i - 1], &above = points[i];
    if (above.time_ns < time_ns) continue;
    const double part = (time_ns - below.time_ns) / (above.time_ns - below.time_ns);
    return below.service_ns + part * (above.service_ns - below.service_ns);
  }
  return std::numeric_limits<double>::infinity();
}

/// `middle` gives the median of one vector of the rows.
template <typename Middle>
reading read(const calibration_rows& rows, const Middle& middle) {
  reading found{.points = {{.service_ns = 0, .time_ns = middle(rows.zero_ns)}},
                .real_ns = middle(rows.real_ns)};
  for (const auto& point : rows.points) {
    found.points.push_back({.service_ns = middle(point.achieved_ns), .time_ns = middle(point.time_ns)});
  }
  std::sort(found.points.begin(), found.points.end(),
            [](const auto& left, const auto& right) { return left.service_ns < right.service_ns; });
  found.k = slope(found.points);
  found.service_ns = read_off(found.points, found.real_ns);
  return found;
}

/// The figures of all draws, and the part of them that an interval holds.
struct drawn {
  std::vector<double> k, service_ns, server_ns, waiting_ns;

  /// Empty when an end is not finite.
  static std::optional<interval> range(std::vector<double> values) {
    const auto outside = static_cast<std::size_t>(alpha / 2 * static_cast<double>(values.size()));
    if (outside == 0) return std::nullopt;
    std::sort(values.begin(), values.end());
    const double lo = values[outside - 1], hi = values[values.size() - outside];
    if (!std::isfinite(lo) || !std::isfinite(hi)) return std::nullopt;
    return interval{.lo = lo, .hi = hi, .coverage = 1 - alpha};
  }
};

drawn draw(const calibration_rows& rows, std::uint64_t seed) {
  fixtures::random_source random(seed);
  std::vector<std::size_t> chosen(rows.real_ns.size());
  std::vector<double> values(chosen.size());
  const auto middle = [&](const std::vector<double>& of) {
    std::transform(chosen.begin(), chosen.end(), values.begin(), [&](std::size_t row) { return of[row]; });
    return median(values);
  };
  drawn all;
  for (std::size_t i = 0; i < draws; ++i) {
    // Modulo: of 2^64 values the uneven rest is nothing.
    std::generate(chosen.begin(), chosen.end(), [&] { return random.next() % chosen.size(); });
    const auto found = read(rows, middle);
    if (!found.k) continue;
    all.k.push_back(*found.k);
    all.service_ns.push_back(found.service_ns);
    all.server_ns.push_back(found.server_ns());
    all.waiting_ns.push_back(found.waiting_ns());
  }
  return all;
}

std::string trouble_of(const calibration& made, const reading& found, std::size_t rows) {
  const auto& outermost = made.points.back();
  if (!made.slope) return "server time needs the null server at two service times of 50 us or more";
  if (!made.server_ns) {
    return fmt::format(
        "the real server takes {:.1f} us per op, more than the null server at its longest service time of "
        "{:.1f} us "
        "({:.1f} us per op); measure a longer one",
        found.real_ns / us, outermost.service_ns / us, outermost.time_ns / us);
  }
  if (rows < rows_needed()) {
    return fmt::format("server time has no interval: {} rows, {} are needed", rows, rows_needed());
  }
  if (!made.server_ns->range) {
    return fmt::format(
        "the interval of server time ends beyond the longest service time of {:.1f} us; measure a longer one",
        outermost.service_ns / us);
  }
  return {};
}

}  // namespace

std::optional<calibration> calibrate(const calibration_rows& rows, std::uint64_t seed) {
  const auto n = rows.real_ns.size();
  assert(rows.zero_ns.size() == n);
  for ([[maybe_unused]] const auto& point : rows.points) {
    assert(point.achieved_ns.size() == n && point.time_ns.size() == n);
  }
  if (n == 0) return std::nullopt;

  const auto found = read(rows, [](const std::vector<double>& of) { return median(of); });
  calibration made{.client_ns = *estimate_median(rows.zero_ns), .points = found.points};
  if (found.k) {
    for (auto& point : made.points) {
      point.waiting_ns = point.time_ns - found.client_ns() - *found.k * point.service_ns;
    }
    const auto all = n >= rows_needed() ? draw(rows, seed) : drawn();
    made.slope = estimate{*found.k, drawn::range(all.k)};
    if (std::isfinite(found.service_ns)) {
      made.service_ns = estimate{found.service_ns, drawn::range(all.service_ns)};
      made.server_ns = estimate{found.server_ns(), drawn::range(all.server_ns)};
      made.waiting_ns = estimate{found.waiting_ns(), drawn::range(all.waiting_ns)};
    }
  }
  made.trouble = trouble_of(made, found, n);
  return made;
}

std::vector<std::int64_t> service_times(double longer_ns, double round_trips) {
  std::vector<std::int64_t> times = {0, 50'000, 200'000, 1'000'000};
  const double expected = longer_ns / round_trips;
  for (const double part : {0.8, 1.25}) {
    if (expected * part >= us) times.push_back(static_cast<std::int64_t>(expected * part));
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace bench
