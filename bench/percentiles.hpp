#pragma once
// Percentiles as a report gives them: by nearest rank, each with an interval, or with the number of ops that are missing
// (measurement method, part 7).
//
// The number of ops that lie below the true percentile p is Bin(n, p), whatever their distribution. So the values of the
// ranks l and u hold it between them with 95 %:
//
//   l = largest with P(Bin(n, p) <= l-1) <= alpha/2        u = smallest with P(Bin(n, p) <= u-1) >= 1 - alpha/2
//
// That assumes independent ops: where rounds hang together (steadiness.hpp), the interval is optimistic, and is to be labelled
// so. p is in parts per million and below one million: the maximum is no percentile.

#include "bench/histogram.hpp"

#include <cstdint>
#include <optional>

namespace bench {

/// Named in the output, because tools differ, and p99 of three values shows it.
inline constexpr const char* percentile_rule = "nearest rank, ceil(p*n)";

/// Ranks l and u, counted from 1.
struct rank_range {
  std::uint64_t lower = 0;
  std::uint64_t upper = 0;
  double coverage = 0;  ///< achieved, at least 95 %
};

/// Empty where n values have no such ranks.
std::optional<rank_range> percentile_ranks(std::uint64_t n, std::uint32_t p_ppm);

/// Ops that are missing until ten lie above the percentile, n (1-p) >= 10; 0 when it may be reported.
std::uint64_t ops_missing(std::uint64_t n, std::uint32_t p_ppm);

struct percentile {
  std::uint32_t p_ppm = 0;
  latency value;
  std::optional<latency> lo;  ///< single 95 %; both or none
  std::optional<latency> hi;
  std::uint64_t ops_missing = 0;  ///< not 0: a report leaves the value out and prints this
};

/// Answers for any number of ops; empty for none.
std::optional<percentile> percentile_of(const histogram& latencies, std::uint32_t p_ppm);

}  // namespace bench
