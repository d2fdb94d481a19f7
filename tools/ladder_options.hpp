#pragma once
// What `wirebench ladder` is asked for.

#include "bench/ladder.hpp"

#include "tools/output.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tools {

struct ladder_options {
  std::vector<std::string> ops;      ///< empty: all
  std::vector<std::string> rungs;    ///< empty: bench::default_rungs()
  std::vector<std::string> against;  ///< real servers, at most one of each protocol
  std::vector<std::string> counts;
  double budget_s = 20;
  double precision = 0;
  std::uint64_t processes = 1;
  double delta = 0.02;
  std::uint64_t seed = 1;
  std::vector<std::chrono::nanoseconds> service_times = bench::default_waiting_times().always;
  std::string delay_mode = "spin";
  int cpu = 0;
  double timeout_s = 10;
  std::string profile = "standalone";
  bool strict = false;
  bool list = false;
  output_options output;
  std::vector<std::string> command_line;  ///< for the context, which blanks its secrets

  /// Whether that rung is to be measured, where the peers allow it.
  bool wants(const std::string& rung) const {
    return rungs.empty() || std::find(rungs.begin(), rungs.end(), rung) != rungs.end();
  }
  /// Whether null servers are made to take their time. Each of several processes would choose the times near a real server's
  /// anew: they leave that out, unless it is named.
  bool makes_null_wait() const { return rungs.empty() ? !against.empty() && processes == 1 : wants("tcpD"); }
  bench::delay_mode mode() const {
    return delay_mode == "spin" ? bench::delay_mode::spin : bench::delay_mode::sleep;
  }
  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(timeout_s * 1000));
  }
};

using chosen_ops = std::vector<const bench::op*>;

}  // namespace tools
