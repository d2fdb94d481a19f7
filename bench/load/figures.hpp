#pragma once
// What a tight loop came to, beside the latency of its ops and their cost: part of a cell. Plain values, as a result file
// holds them.

#include "bench/latency_summary.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench::load {

/// Smallest, middle and largest.
struct spread {
  double min;
  double median;
  double max;
};

struct op_latency {
  std::string op;
  std::uint32_t weight;
  std::optional<latency_summary> latency;
};

struct error_kind {
  std::string kind;
  std::uint64_t count;
  std::string first;  ///< the first one's whole sentence
};

/// Of an open loop. Times run from the intended start, whatever came before.
struct schedule_figures {
  double rate = 0;  ///< asked for, in ops per second
  std::string arrivals;
  bool kept = true;  ///< what waits at the end is no more than chance and the connections explain
  std::optional<latency_summary> response;
  double lag_mean_ns = 0;  ///< actual - intended start
  std::int64_t lag_max_ns = 0;
  std::uint64_t backlog = 0;     ///< ops due by the end of the run and not sent by then
  std::uint64_t never_sent = 0;  ///< of these, not sent afterwards either; their response times are missing
};

struct figures {
  std::optional<std::string> sql;       ///< the statement of the op "sql"
  std::vector<std::string> parameters;  ///< of its $1, $2 .., as they were asked for: "int4:1..100000"
  std::string io;                       ///< blocking | epoll | io_uring
  std::uint64_t connections = 1;
  std::uint64_t threads = 1;
  std::uint64_t pipeline = 1;  ///< ops in flight on a connection
  std::uint64_t seed = 1;
  std::uint64_t max_tries = 1;
  std::uint64_t reconnect_every = 0;
  double warm_up_s = 0;
  std::string ended_by;  ///< duration | count | stop | failure
  std::optional<std::string> failure;

  std::uint64_t ops = 0;  ///< completed, due behind the warm-up
  double elapsed_s =
      0;  ///< from the end of the warm-up to the end of the run, or of the last op if that was later
  double ops_per_s = 0;  ///< over elapsed_s; open loop: what was completed in the schedule's time, over that
  std::optional<double> bytes_out_per_s;
  std::optional<double> bytes_in_per_s;
  std::vector<op_latency> by_op;  ///< of a mix; empty for one op
  std::optional<schedule_figures> schedule;
  std::optional<std::uint64_t> above_limit;  ///< ops slower than --latency-limit
  std::optional<double> latency_limit_ms;

  std::optional<double> voluntary_switches;  ///< these two: per op, of the client's threads
  std::optional<double> involuntary_switches;
  std::optional<double> client_cpus;  ///< CPU time over elapsed time: 1 is one cpu all of the time
  std::optional<double> server_cpus;

  std::vector<error_kind> errors;  ///< these four: warm-up included
  std::uint64_t failed_ops = 0;    ///< given up; in no latency
  std::uint64_t retried_ops = 0;
  std::uint64_t retries = 0;

  std::optional<spread> connect_ns;  ///< connecting, logging in and preparing; outside the ops' times
  std::uint64_t connects = 0;
  std::uint64_t given_up = 0;  ///< connections that were lost and could not be had again
  std::optional<spread> ops_of_connection;

  std::optional<double> delayed_ack_share;  ///< part of the ops in a mode near 40 ms; empty: there is none
  double record_ns = 0;                     ///< what recording one latency costs, measured in this run
  double closed_loop_share =
      0;  ///< closed loop: sum of all latencies / (ops in flight x elapsed); above 1 is impossible
};

/// Empty for no values.
std::optional<spread> spread_of(std::vector<double> values);

}  // namespace bench::load
