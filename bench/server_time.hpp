#pragma once
// What the server itself says an op took: a lower bound of its time, since none of the timers covers all of its work
// (measurement method, part 13). For rounds of its own, because a server that tells works more.

#include "codecs/bytes.hpp"

#include "wire/endpoint.hpp"
#include "wire/watchdog.hpp"

#include "bench/op_set.hpp"
#include "bench/workload.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace bench {

/// A server's own timer.
struct server_timer {
  std::string source;    ///< "log_duration", "serverStatus.opLatencies"
  std::string contains;  ///< which part of the server's work is in it and which is not
  double resolution_ns;  ///< its figure of an op may be so much too long
};

server_timer timer_of(wire::protocol protocol);

/// The raw client's op, whose server_told_ns() is what the server says of each round:
///
/// PostgreSQL   log_duration of this session, sent to the client as LOG notices and kept out of the server's log. Setting it
///              takes a superuser.
/// MongoDB      opLatencies of serverStatus before and after each round; nothing once another client's ops are counted with
///              them.
///
/// `dog` outlives the workload.
absl::StatusOr<std::unique_ptr<workload>> open_told(const op& what, const wire::endpoint& to,
                                                    wire::watchdog& dog);

/// Runs the op once to see whether the server tells. If not, why, as one clause.
absl::Status check_told(const op& what, const std::string& uri, wire::watchdog& dog);

/// No figure of a server is believed beyond this, 73 years: sums and differences of a few such figures stay in range.
inline constexpr std::int64_t longest_told_ns = std::int64_t{1} << 61;

/// The time in "duration: 0.123 ms", in ns; empty for any other text and beyond longest_told_ns. Exported for its test.
std::optional<std::int64_t> logged_duration_ns(std::string_view message);

/// The durations that a server logged in one round.
class duration_sum {
 public:
  /// 0 to longest_told_ns.
  void add(std::int64_t ns);

  /// Empty when none came, or more than longest_told_ns.
  std::optional<std::int64_t> total_ns() const;

 private:
  std::int64_t ns_ = 0;
  bool any_ = false;
};

/// One class of the opLatencies of a serverStatus reply; empty when the server keeps none, and where they are below 0 or
/// beyond longest_told_ns (ops: its number).
struct op_latencies {
  std::int64_t ns = 0;
  std::int64_t ops = 0;
};
std::optional<op_latencies> read_latencies(codecs::bytes_view server_status, const char* of_class);

}  // namespace bench
