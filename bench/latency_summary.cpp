#include "bench/latency_summary.hpp"

#include "bench/histogram_v2.hpp"
#include "bench/percentiles.hpp"

namespace bench {
namespace {

constexpr std::uint32_t reported_ppm[] = {500'000, 900'000, 950'000, 990'000, 999'000, 999'900};

std::uint64_t ops_between(const histogram& latencies, std::int64_t from_ns, std::int64_t to_ns) {
  std::uint64_t ops = 0;
  for (const auto& each : latencies.buckets()) {
    if (each.first_ns >= from_ns && each.first_ns < to_ns) ops += each.count;
  }
  return ops;
}

reported_percentile report(const histogram& latencies, std::uint32_t p_ppm) {
  const auto found = *percentile_of(latencies, p_ppm);
  reported_percentile to{.percent = p_ppm / 1e4, .ops_missing = found.ops_missing};
  if (to.ops_missing > 0) return to;
  to.ns = found.value.value_ns;
  to.at_least = found.value.at_least;
  if (found.lo) to.lo_ns = found.lo->value_ns;
  if (found.hi) to.hi_ns = found.hi->value_ns;
  return to;
}

}  // namespace

std::optional<latency_summary> summarize(const histogram& latencies) {
  if (latencies.count() == 0) return std::nullopt;
  latency_summary of{.ops = latencies.count(),
                     .overflow = latencies.overflow(),
                     .negative = latencies.negative(),
                     .mean_ns = *latencies.mean_ns(),
                     .stddev_ns = latencies.stddev_ns().value_or(0),
                     .min_ns = *latencies.min_ns(),
                     .max_ns = *latencies.max_ns(),
                     .histogram_v2 = encode_v2(latencies)};
  for (const auto p : reported_ppm) of.percentiles.push_back(report(latencies, p));
  return of;
}

std::uint64_t ops_above(const histogram& latencies, std::int64_t limit_ns) {
  return latencies.overflow() + ops_between(latencies, limit_ns + 1, INT64_MAX);
}

std::optional<double> delayed_ack_share(const histogram& latencies) {
  constexpr std::int64_t ms = 1'000'000;  // 40 ms, to the kernel's tick of up to 10 ms
  const auto near_40 = ops_between(latencies, 38 * ms, 54 * ms);
  const auto below = ops_between(latencies, 22 * ms, 38 * ms);
  const auto above = ops_between(latencies, 54 * ms, 70 * ms);
  const auto share = static_cast<double>(near_40) / static_cast<double>(latencies.count());
  const bool is_mode = near_40 >= 10 && near_40 > 4 * below && near_40 > 4 * above;
  return is_mode && share > 0.01 ? std::optional(share) : std::nullopt;
}

}  // namespace bench
