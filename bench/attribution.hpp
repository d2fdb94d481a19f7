#pragma once
// Whose time an op's time is, from the cells of a ladder: gathers what calibration and closure test ask for.
//
//   target     raw on the real server            its time is attributed
//   zero       raw on rung tcp0                  client and kernel, beside the target in its rows where it stands there
//   points     raw on rung tcpD                  the null server as a stopwatch, read backwards (calibration.hpp)
//   reals      stamped by the wall's clock       the stages, and the window that no server time exceeds
//              stamped by the thread's clock     the part of the stages on the cpu
//   realt      told by the server itself         what no server time falls below
//
// Without a real server the null server stands for one whose time is known: each service time that lies between two
// others is looked for as if it were not (not the shortest one: at D = 0 nobody waits), with stamps on rung tcpDs.
//
// Every figure is over the medians of connection sets where there are enough of them for an interval; where there are not, it
// is over rows, and a bias says so.

#include "bench/result.hpp"

#include <string>
#include <vector>

namespace bench {

/// What the cells themselves do not tell.
struct attribution_facts {
  bool told = false;                  ///< the server tells its own time: the ladder has a rung realt
  std::string told_by;                ///< its timer and what it contains, or why there is none
  double told_resolution_ns = 0;      ///< its figure may be so much too long, per op
  double reading_cost_ns = 0;         ///< of the wall clock, per stamp
  double cpu_reading_cost_ns = 0;     ///< of the thread's clock
  double reading_uncertainty_ns = 0;  ///< how much longer a reading of the wall clock may take
  delay_mode mode = delay_mode::spin;
  std::uint64_t seed = 1;
};

/// All attributions that the cells of one op allow; none without rung tcpD.
std::vector<attribution> attribute(const std::vector<cell>& cells, const std::vector<comparison>& compared,
                                   const attribution_facts& facts);

/// What the figures of one say against themselves: stages near the clock's own cost, a null server that passes its time
/// otherwise than the real server does.
std::vector<warning> doubts_of(const attribution& made, const std::vector<cell>& cells,
                               const attribution_facts& facts);

/// "attribution closed" or "attribution NOT closed: 3.1 us (4.2 %) unexplained".
std::string verdict_of(const closure& judged);

}  // namespace bench
