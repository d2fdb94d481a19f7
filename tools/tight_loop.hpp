#pragma once
// A tight loop of one op or a mix, for as long as asked, and what it leaves: latencies, throughput, cost.

#include "tools/output.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tools {

struct run_options {
  std::vector<std::string> ops;  ///< with weights: "select_param@9"
  std::string sql;
  std::vector<std::string> parameters;
  std::string mode = "prepared";
  std::string client = "raw";
  std::string against;  ///< empty: a null server
  std::string io = "blocking";
  std::uint64_t connections = 1;
  std::uint64_t threads = 0;  ///< 0: one per connection when blocking, else one
  std::uint64_t pipeline = 1;
  bool nagle = false;
  double duration_s = 10;
  double warm_up_s = 1;
  std::uint64_t count = 0;  ///< 0: for `duration_s`
  double rate = 0;          ///< per second; 0: closed loop
  std::string arrivals = "poisson";
  std::uint64_t max_tries = 1;
  std::uint64_t reconnect_every = 0;  ///< ops; 0: never
  double latency_limit_ms = 0;        ///< 0: none
  std::uint64_t seed = 1;
  int cpu = 0;
  bool pinned = false;  ///< --cpu was given
  double timeout_s = 10;
  bool progress = false;
  output_options output;
  std::vector<std::string> command_line;
};

/// Returns the exit code.
int run_tight_loop(const run_options& options);

}  // namespace tools
