#pragma once
// What a sweep says of more than one cell, as a result holds it.

#include <optional>
#include <string>
#include <vector>

namespace bench {

/// What chunks and bytes cost one client by one framing (chunk_fit), from the medians of its cells.
struct fitted_chunks {
  std::vector<std::string> cells;    ///< ids; these differ in nothing but the chunk size
  std::optional<double> alpha_ns;    ///< per chunk; empty, as all others, where there is no fit
  std::optional<double> beta_ns;     ///< per byte
  std::optional<double> knee_bytes;  ///< alpha / beta; empty unless both are above 0
  std::vector<double>
      residuals;        ///< of each cell that was measured, in order: (measured - fitted) / measured
  std::string trouble;  ///< why there is no fit
};

struct sweep_figures {
  std::vector<fitted_chunks> fits;
  std::vector<std::string>
      best;  ///< ids of the cells that nothing on their server betters in throughput and client CPU
};

}  // namespace bench
