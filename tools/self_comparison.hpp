#pragma once
// What the method finds where the answer is known: the raw client compared with itself, and a null server with a bare echo of
// the same bytes. Both use the ladder's own comparison of a driver with the raw client, with something else in their places.

#include "bench/result.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"

namespace tools {

struct self_comparison {
  int cpu = 0;
  std::uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(double share)> on_progress;  ///< of this comparison, 0 to 1
};

/// What repetitions of raw against raw have shown.
struct aa_tally {
  static constexpr std::uint64_t rows = 160;  ///< of one repetition: what the design states its bar for

  std::uint64_t repetitions = 0;   ///< whole ones
  std::uint64_t excluded = 0;      ///< intervals without 1
  std::uint64_t verdicts = 0;      ///< faster or slower
  std::vector<double> log_ratios;  ///< |ln ratio| of each
  std::uint64_t rounds = 0;        ///< of all repetitions
  std::uint64_t disturbed =
      0;  ///< of those: with steal, pressure, time taken by others, or a move to another cpu

  /// The most intervals that exclude 1 with 99 % probability when all is well: 18 of 200.
  std::uint64_t honest_limit() const;

  /// Whether others had a hand in more than one round of twenty.
  bool quiet() const { return 20 * disturbed <= rounds; }

  /// 95th percentile of |ln ratio|, nearest rank; needs a repetition.
  double floor() const;
};

/// Compares raw `ping` with itself, with connections renewed as in the ladder, `repetitions` times or until stopped: then the
/// repetition at work is left out.
absl::StatusOr<aa_tally> raw_against_raw(std::uint64_t repetitions, const self_comparison& how);

/// The null server's time over the echo's for the request and reply of that op, both seen by the floor client; no
/// interval when stopped before there were rows enough for one.
absl::StatusOr<bench::comparison> null_over_echo(const std::string& op, const self_comparison& how);

}  // namespace tools
