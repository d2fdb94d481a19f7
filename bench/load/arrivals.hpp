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

  /// How many arrivals from `from_ns` on and before `end_ns` nobody has taken; all before `end_ns` are taken with it. Exact
  /// for fixed ones and for a million of the others; what is beyond comes to its mean, so that it takes no time.
  std::uint64_t take_all_between(std::int64_t from_ns, std::int64_t end_ns);

 private:
  std::int64_t next();
  std::uint64_t fixed_before(std::int64_t at_ns) const;
  std::uint64_t take_fixed(std::int64_t from_ns, std::int64_t end_ns);
  std::uint64_t take_poisson(std::int64_t from_ns, std::int64_t end_ns);

  const spacing how_;
  const double gap_ns_;  // mean
  std::int64_t begin_ns_ = 0;
  std::mutex mutex_;
  double offset_ns_ = 0;  // of the last arrival; exact to below 1 ns for 100 days
  std::uint64_t taken_ = 0;
  fixtures::random_source random_;
};

}  // namespace bench::load
