#pragma once
// What the machine did beside the measured work. The sensors are read at the ends of every round, outside of the timer; a
// round in which one passes its limit is flagged and kept, since dropping it would bias the result.
//
//   steal        /proc/stat                ticks of 10 ms that the hypervisor took from this cpu: two rounds long, so judge
//                                          them over many
//   pressure     /proc/pressure/cpu        us in which a task of the machine waited for a cpu. On one cpu that may be the client,
//                                          for as long as its own peer works, if a wake-up takes the cpu from it: so there it
//                                          is compared with the cell's usual round
//   migrations   /proc/thread-self/sched   moves of the measuring thread to another cpu
//
// Two more signs are in the round already: its switches and faults, and the part of its time in which neither side was on
// the cpu. Client and server on one cpu never leave it idle, so that this part belongs to others (0.5 % with nobody there).

#include "bench/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Totals so far; the difference of two readings is what happened between them. Empty: the kernel does not tell.
struct noise_reading {
  std::optional<std::int64_t> steal_ticks;
  std::optional<std::int64_t> pressure_us;
  std::optional<std::int64_t> migrations;

  noise_reading operator-(const noise_reading& earlier) const;
};

/// The sensors with their files open, so that a reading takes some 10 us. It tells about the thread that made it.
class noise_sensors {
 public:
  explicit noise_sensors(int cpu);
  noise_sensors(const noise_sensors&) = delete;
  noise_sensors& operator=(const noise_sensors&) = delete;
  ~noise_sensors();

  noise_reading read();

 private:
  std::string_view text_of(int file);

  int cpu_;
  int stat_;
  int pressure_;
  int sched_;
  std::string buffer_;  // of one reading; large enough for each file
};

/// Limits of a round; starting values.
struct round_limits {
  double pressure = 0.10;  ///< part of the round's time, on one cpu beyond that of the median round
  double taken = 0.10;     ///< part of the round's time
  double switches =
      2;  ///< times the median of the cell's rounds: wake-ups of its own peer are part of every round
  std::int64_t spare = 8;  ///< switches or faults beyond that
};

/// Sets the flags of every round of the cells of an op, which were measured on `cpu`.
void flag_rounds(std::vector<cell>& cells, int cpu, const round_limits& limits = {});

/// Part of a round's time in which neither its client nor its server had the cpu; empty where the server is not a null
/// server on the same cpu, or may rest.
std::optional<double> taken_share(const cell& measured, const round& timed);

/// The same from given texts of those files.
std::optional<std::int64_t> steal_ticks_in(std::string_view stat, int cpu);
std::optional<std::int64_t> pressure_us_in(std::string_view pressure);
std::optional<std::int64_t> migrations_in(std::string_view sched);

}  // namespace bench
