#pragma once
// What a chunk costs and what a byte costs (measurement method, part 14):
//
//   T = chunks * alpha + bytes * beta          per byte  t(c) = alpha / c + beta
//
// The sum of the squared relative errors is least, so that the slowest point does not decide alone. Half of the time is the chunks'
// where c = alpha / beta: the knee, behind which larger chunks bring little. Cache and socket-buffer sizes bend the line; the
// residuals tell, and nothing is foretold outside of the measured sizes. Pure functions.

#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace bench {

/// One measured transfer: `bytes` in `chunks` pieces of `chunk_bytes` took `time_ns`. All are above 0.
struct chunk_point {
  double chunk_bytes = 0;
  double chunks = 0;
  double bytes = 0;
  double time_ns = 0;
};

struct chunk_fit {
  double alpha_ns = 0;            ///< per chunk
  double beta_ns = 0;             ///< per byte
  std::vector<double> residuals;  ///< of each point, in order: (measured - fitted) / measured
  double smallest_bytes = 0;      ///< chunk sizes between which it holds
  double largest_bytes = 0;

  /// alpha / beta; empty unless both are above 0.
  std::optional<double> knee_bytes() const;

  /// The residual that is farthest from 0, without its sign.
  double worst() const;
};

/// InvalidArgument for fewer than three different chunk sizes: two points always lie on a line.
absl::StatusOr<chunk_fit> fit_chunks(std::span<const chunk_point> points);

}  // namespace bench
