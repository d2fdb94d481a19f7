#pragma once
// What ops have come to: latencies and errors. Recordings of threads and of seconds are merged into one.

#include "bench/histogram.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace bench::load {

/// Errors of one kind.
struct error_count {
  std::uint64_t count = 0;
  std::string first;  ///< the first one's whole sentence
};

struct recording {
  /// `ops` kinds of ops; with an open loop there are response times as well.
  recording(std::size_t ops, bool open_loop);

  void merge(const recording& other);
  void clear();

  void add_error(const absl::Status& error);
  std::uint64_t errors() const;

  /// Of all ops together.
  histogram service_of_all() const;

  std::vector<histogram> service;     ///< per op of the mix: from the actual send
  std::optional<histogram> response;  ///< from the intended start

  double lag_sum_ns = 0;  ///< open loop: actual - intended start, over all recorded ops
  std::int64_t lag_max_ns = 0;
  std::int64_t last_sent_ns = 0;  ///< open loop, like these three: when the last op was sent
  std::uint64_t late_ops = 0;     ///< due before the end of the run, sent after it
  std::uint64_t ended_late = 0;   ///< sent before or after the end of the run, ended after it
  std::uint64_t never_sent = 0;   ///< due before the end of the run, not sent at all

  std::map<std::string, error_count> by_kind;
  std::uint64_t failed_ops = 0;   ///< given up; in no histogram
  std::uint64_t retried_ops = 0;  ///< tried more than once, whatever came of it
  std::uint64_t retries = 0;
  std::vector<std::int64_t> connects_ns;  ///< connecting, logging in and preparing
};

/// The system has no local port left for a connection (case S13).
inline constexpr char no_free_port[] = "no free local port";

/// "timeout", "connection lost", "server error 40001": what errors are counted under.
std::string kind_of(const absl::Status& error);

/// Whether the same op may well succeed when it is tried again: after PostgreSQL's serialization_failure and deadlock_detected.
bool passes(std::string_view kind);

}  // namespace bench::load
