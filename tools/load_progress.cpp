#include "tools/load_progress.hpp"

#include "bench/percentiles.hpp"
#include "bench/report_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>

namespace tools {
namespace {

std::optional<double> percentile_ns(const bench::histogram& latencies, std::uint32_t p_ppm) {
  const auto found = bench::percentile_of(latencies, p_ppm);
  if (!found || found->ops_missing > 0) return std::nullopt;
  return static_cast<double>(found->value.value_ns);
}

nlohmann::ordered_json maybe(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

}  // namespace

void print_second(const bench::load::second& last, bool json) {
  const auto p50 = percentile_ns(last.latency, 500'000);
  const auto p99 = percentile_ns(last.latency, 990'000);
  std::optional<double> max;
  if (const auto slowest = last.latency.max_ns()) max = static_cast<double>(*slowest);
  if (json) {
    nlohmann::ordered_json event{{"event", "progress"},  {"at_s", last.at_s},    {"warm_up", last.warming_up},
                                 {"ops_per_s", nullptr}, {"p50_ns", maybe(p50)}, {"p99_ns", maybe(p99)},
                                 {"max_ns", maybe(max)}, {"errors", last.errors}};
    if (!last.warming_up) event["ops_per_s"] = last.ops_per_s;  // before that none is recorded
    fmt::print(stderr, "{}\n", event.dump());
    return;
  }
  if (last.warming_up) {
    fmt::print(stderr, "progress: {:.0f} s, warming up, {} errors\n", last.at_s, last.errors);
    return;
  }
  fmt::print(stderr, "progress: {:.0f} s, {:.0f} ops/s, p50 {} us, p99 {} us, max {} us, {} errors\n",
             last.at_s, last.ops_per_s, bench::microseconds(p50), bench::microseconds(p99),
             bench::microseconds(max), last.errors);
}

}  // namespace tools
