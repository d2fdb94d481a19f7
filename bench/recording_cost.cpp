#include "bench/recording_cost.hpp"

#include "bench/clock.hpp"
#include "bench/histogram.hpp"
#include "bench/statistics.hpp"

#include "fixtures/datasets.hpp"

#include <vector>

namespace bench {

double recording_cost_ns() {
  constexpr std::size_t batches = 51, per_batch = 2'000;
  fixtures::random_source random(1);
  std::vector<std::int64_t> latencies(per_batch);
  for (auto& latency : latencies) latency = 5'000 + static_cast<std::int64_t>(random.next() % 495'000);

  histogram into;
  std::vector<double> costs;
  for (std::size_t i = 0; i < batches; ++i) {
    const auto start = now_ns();
    for (const auto latency : latencies) into.record(latency);
    costs.push_back(static_cast<double>(now_ns() - start) / per_batch);
  }
  return median(costs);
}

}  // namespace bench
