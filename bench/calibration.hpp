#pragma once
// Inverse calibration of server time (measurement method, part 11): the server as a stopwatch that is read backwards.
//
// Subtracting the null server's time from the real one's is biased: against an instant peer the client hardly sleeps and
// its caches stay hot. So the null server is made to take a known time D per round trip, and what is asked is at which D it
// is as slow as the real server:
//
//   T_null(D) = a + k D + w(D)     a  = T_null(0): client and kernel
//                                  k  = sequential round trips per op: slope of T over the points with D >= 50 us, where
//                                       w is flat
//                                  w  = cost of really waiting, 0 at D = 0; it rises with D where others use the caches
//                                       meanwhile: beside compilers on the other cpu by 2 us from 200 us to 1 ms, half of
//                                       it the client's CPU time, half the server's, and k was 1.003
//   D*: T_null(D*) = T_real        on the line between the two points around it, never beyond the outermost
//   S_mid = k D*                   server time; equals D* only where k = 1
//
// Times are medians over rows. Intervals of all but `a` come from the bootstrap: whole rows are drawn with replacement, so
// that what the cells of a row have in common stays together, and everything is computed anew. Same seed, same intervals.

#include "bench/statistics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// The null server at one service time D > 0. One entry per row.
struct service_point {
  std::vector<double>
      achieved_ns;  ///< D as achieved, per round trip: the server's own stamps, not what was asked for
  std::vector<double> time_ns;  ///< client's time per op, in rounds of as many ops as all others
};

/// One client against the null server and the real one. All vectors have the same length and entry r of each belongs to row
/// r; where rows of one connection set hang together, pass set_medians() of each, and the sets are the rows that are drawn.
/// The op and its request bytes are the same everywhere.
struct calibration_rows {
  std::vector<double> zero_ns;        ///< time per op against the null server without service time
  std::vector<service_point> points;  ///< in any order
  std::vector<double> real_ns;        ///< time per op against the real server
};

/// The shortest D that the slope uses: 50 us, less what a server's stamps may miss of it.
inline constexpr double flat_from_ns = 49'000;

struct calibration {
  struct point {
    double service_ns = 0;             ///< D
    double time_ns = 0;                ///< T_null(D)
    std::optional<double> waiting_ns;  ///< w(D); empty without a slope
  };
  estimate client_ns;                  ///< a, with its sign interval
  std::vector<point> points;           ///< ascending; D = 0 first
  std::optional<estimate> slope;       ///< k; empty with fewer than two points to take it from
  std::optional<estimate> service_ns;  ///< D*
  std::optional<estimate> server_ns;   ///< S_mid
  std::optional<estimate> waiting_ns;  ///< w(D*) = T_real - a - S_mid

  /// Why there is no server time, or no interval of it, in a sentence that names what to do; else empty.
  std::string trouble;
};

/// Without rows: empty. A real server that is not slower than the null server has D* = 0, since no server takes less than
/// no time; w then holds the rest, below 0. A real server beyond the outermost point has no D*. An interval whose end lies
/// beyond it is left out. 1,000 draws: some 0.1 s for six points of 500 rows.
std::optional<calibration> calibrate(const calibration_rows& rows, std::uint64_t seed);

/// The service times to measure for an op that takes `longer_ns` longer against the real server than against the null
/// server, in `round_trips` round trips: 0, 50, 200 and 1000 us, and two that hold the expected D* between them. Ascending;
/// in whole ns, per round trip.
std::vector<std::int64_t> service_times(double longer_ns, double round_trips);

}  // namespace bench
