#pragma once
// The latencies of many ops as a result keeps and prints them.

#include "bench/histogram.hpp"

#include <string>
#include <vector>

namespace bench {

struct reported_percentile {
  double percent = 0;              ///< 99.9
  std::optional<std::int64_t> ns;  ///< refused while ops are missing; if `at_least`, the histogram's limit
  bool at_least = false;
  std::optional<std::int64_t> lo_ns;  ///< single 95 %
  std::optional<std::int64_t> hi_ns;
  std::uint64_t ops_missing = 0;  ///< until ten ops lie above it
};

struct latency_summary {
  std::uint64_t ops = 0;
  std::uint64_t overflow = 0;  ///< of these, above the histogram's limit
  std::uint64_t negative = 0;  ///< not among these: the clock ran backwards
  double mean_ns = 0;
  double stddev_ns = 0;  ///< to within the width of the buckets
  std::int64_t min_ns = 0;
  std::int64_t max_ns = 0;
  std::vector<reported_percentile> percentiles;  ///< 50, 90, 95, 99, 99.9 and 99.99
  std::string histogram_v2;                      ///< histogram_v2.hpp
};

/// Empty for no ops.
std::optional<latency_summary> summarize(const histogram& latencies);

/// How many ops took longer than that, to within the width of a bucket.
std::uint64_t ops_above(const histogram& latencies, std::int64_t limit_ns);

/// Part of the ops that form a mode of their own near 40 ms; empty where there is none. That is what Linux delays an ACK by,
/// for which Nagle's algorithm waits before it sends the second of two small writes (case C38).
std::optional<double> delayed_ack_share(const histogram& latencies);

}  // namespace bench
