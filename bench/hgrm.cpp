#include "bench/hgrm.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace bench {
namespace {

constexpr double us = 1e3;
constexpr double ticks_per_halving = 5;

/// The percentile after `level`, as parts of 1: steps become half as wide whenever the distance to 1 has halved.
double next(double level) {
  const double halvings = std::floor(std::log2(1 / (1 - level))) + 1;
  return level + 1 / (ticks_per_halving * std::exp2(halvings));
}

}  // namespace

std::string hgrm(const histogram& of) {
  std::string text =
      fmt::format("{:>12} {:>14} {:>10} {:>14}\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)");
  const auto out = std::back_inserter(text);
  const auto buckets = of.buckets();
  const auto total = of.count();
  const double largest = static_cast<double>(of.max_ns().value_or(0)) / us;

  double level = 0;
  std::uint64_t so_far = 0;
  for (const auto& bucket : buckets) {
    so_far += bucket.count;
    const double share = static_cast<double>(so_far) / static_cast<double>(total);
    const double value = std::min(static_cast<double>(bucket.last_ns) / us, largest);
    // Of the last bucket one line: the next is the maximum itself. Near 1, a double has no next.
    for (bool more = true; more && share >= level;) {
      fmt::format_to(out, "{:12.3f} {:14.12f} {:10} {:14.2f}\n", value, level, so_far, 1 / (1 - level));
      const double further = next(level);
      more = so_far < total && further > level;
      level = further;
    }
  }
  if (total > 0) fmt::format_to(out, "{:12.3f} {:14.12f} {:10}\n", largest, 1.0, total);

  if (const auto deviation = of.stddev_ns()) {
    fmt::format_to(out, "#[Mean    = {:12.3f}, StdDeviation   = {:12.3f}]\n", *of.mean_ns() / us,
                   *deviation / us);
  }
  fmt::format_to(out, "#[Max     = {:12.3f}, Total count    = {:12}]\n", largest, total);
  fmt::format_to(out, "#[Buckets = {:12}, SubBuckets     = {:12}]\n", of.counts().size() / 1024 - 1, 2048);
  return text;
}

}  // namespace bench
