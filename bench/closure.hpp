#pragma once
// Does the attribution close? Server time, stages and CPU time are known from sources that know nothing of each other. If
// they disagree, the figures are not explained, and the report says by how much (measurement method, part 11):
//
//   1. S_lo <= S_mid <= S_hi within their intervals: the server's own counters below, the client's wait window above
//   2. r = T_total - (encode + send + wait + recv + decode) has an interval that contains 0; T_total is from rounds without
//      stage stamps, since from the same stamps r is 0 by construction
//   3. the thread's CPU time equals the sum of its on-CPU stages within 5 %
//   4. the slope k is an integer within its interval; else there are hidden round trips, client and server overlap, or the
//      cost of waiting is not flat
//
// In tests 1, 2 and 4 a gap that is smaller than what this run cannot tell from nothing (raw against itself, part 10) is not
// called a gap. Test 3 has its 5 % alone: the op's CPU time may be a hundredth of the time that the A/A floor is a share of.

#include "bench/calibration.hpp"
#include "bench/statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bench {

struct closure_evidence {
  double total_ns = 0;  ///< T_real, the op's median time where its stages and CPU time were measured, too
  double aa_ns = 0;     ///< what this run cannot tell from 0: total_ns times its A/A floor

  std::optional<calibration> calibrated;

  /// Server-reported time per op, its resolution already taken off. Leave empty where the server does not see the op, and
  /// for ops that stream: back-pressure enters what the server reports, so it is no bound.
  std::optional<estimate> server_lo_ns;
  /// From entry into the op's last send to the first received byte, clock uncertainty added.
  std::optional<estimate> server_hi_ns;

  std::optional<estimate> residual_ns;  ///< test 2's r, from rounds paired by row

  std::optional<double> thread_cpu_ns;  ///< per op, from rounds without stamps
  std::optional<double> stages_cpu_ns;  ///< per op, on-CPU parts of the stages
};

struct closure {
  bool closed = false;
  /// The largest gap among the tests that fail; when closed, |r|. Empty where nothing failed by a figure, but server time or
  /// stages are missing.
  std::optional<double> unexplained_ns;
  std::optional<double> unexplained_share;  ///< of the op's time: 0.042 is 4.2 %
  std::vector<std::string> reasons;         ///< one sentence for each test that fails; empty when closed
  std::vector<std::string> unchecked;       ///< one sentence for each test that could not be made
};

/// Closed when no test fails and server time (test 4 and S_mid) and stages (test 2) are there: without them nothing has
/// been attributed. Bounds and CPU time that are missing are listed as unchecked.
closure close_attribution(const closure_evidence& evidence);

}  // namespace bench
