#pragma once
// The schedule of an open loop: when ops are meant to start, whatever becomes of the ops before them. One queue for all
// connections: whichever is free takes the next arrival, so that a slow op holds up only its own connection.

#include "fixtures/datasets.hpp"

#include <cstdint>
#include <mutex>

namespace bench::load {

enum class spacing {
  poisson,  ///< independent arrivals, exponential gaps: what many users of their own make
  fixed,    ///< equal gaps
};

class arrivals {
 public:
  /// `rate` arrivals per second, above 0.
  arrivals(spacing how, double rate, std::uint64_t seed);

  /// No arrival is before that time. Comes first.
  void begin(std::int64_t at_ns) { begin_ns_ = at_ns; }

  /// The next intended start, in ns. Thread-safe.
  std::int64_t take();

  /// How many arrivals before `end_ns` nobody has taken; they are taken with it.
  std::uint64_t take_all_before(std::int64_t end_ns);

 private:
  std::int64_t next();

  const spacing how_;
  const double gap_ns_;  // mean
  std::int64_t begin_ns_ = 0;
  std::mutex mutex_;
  double offset_ns_ = 0;  // of the last arrival; exact to below 1 ns for 100 days
  std::uint64_t taken_ = 0;
  fixtures::random_source random_;
};

}  // namespace bench::load
