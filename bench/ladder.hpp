#pragma once
// The ladder: the same op, the same request bytes, on rungs that differ in one thing.
//
//   floor   bare send/recv    null over TCP     what the raw client itself costs
//   mem     raw               null in memory    codec, framing, user-space copies
//   unix    raw               null over UNIX    + system calls, wake-ups
//   tcp0    raw, twice        null over TCP     + TCP; the two against each other are the run's own A/A
//   driver  libmongoc, libpq  null over TCP     driver overhead = driver - tcp0
//   tcpD    raw and driver    null over TCP     the same while the server takes D per request
//   noop0   raw               null over TCP     a message for which there is nothing to do
//   noop    raw               real over TCP     the server's dispatch = noop - noop0
//   real    raw and driver    real over TCP     + the server's work
//
// and raw once more in rounds that are never timed as its own, since looking closer costs time:
//
//   tcpDs   raw               null over TCP     the D that lie between two others, with stage stamps, by either clock
//   reals   raw               real over TCP     with stage stamps, by either clock
//   realt   raw               real over TCP     the server tells what it took

#include "wire/watchdog.hpp"

#include "bench/cell_plan.hpp"
#include "bench/op_set.hpp"

#include <string>
#include <vector>

namespace bench {

/// From the lowest rung to the highest, then those that look closer.
inline constexpr const char* rungs[] = {"floor", "mem",  "unix", "tcp0",  "driver", "tcpD",
                                        "noop0", "noop", "real", "tcpDs", "reals",  "realt"};

/// Whether that rung needs a real server.
bool needs_real(const std::string& rung);

/// The peers of one protocol; both live as long as the plans made with them.
struct ladder_peers {
  const peer* null = nullptr;
  const peer* real = nullptr;  ///< null: rungs that need one are left out
};

/// Service times of the rung tcpD.
struct waiting_times {
  std::vector<std::chrono::nanoseconds> always;       ///< for raw and driver
  std::vector<std::chrono::nanoseconds> near_target;  ///< for raw alone, around what the real server takes
  delay_mode mode = delay_mode::spin;
};

/// 50, 200 and 1000 us (measurement method, part 11).
waiting_times default_waiting_times();

/// Up to `driver`; with a real server all but tcpDs, which looks for D when nothing else is unknown.
std::vector<std::string> default_rungs(bool with_real_server);

/// The cells of an op on the named rungs, ready for run(); without one named, on default_rungs(). Cells keep references to `peers` and `dog`.
std::vector<cell_plan> plan_ladder(const op& what, const std::vector<std::string>& on_rungs,
                                   ladder_peers peers, wire::watchdog& dog,
                                   const waiting_times& waits = default_waiting_times());

/// What a server says of itself. Asked once, outside of all timing; empty where it does not answer.
struct server_identity {
  std::string product;       ///< "PostgreSQL 15.20", "MongoDB 7.0.5"
  std::optional<pid_t> pid;  ///< of its process on its own machine (MongoDB)
};
server_identity identify_server(const wire::endpoint& to, std::chrono::milliseconds timeout);

/// Makes what the op needs on a real server (the table wirebench_rows, the collection wirebench.docs), and takes it away
/// again; nothing for ops that need no data.
absl::Status set_up_server(const op& what, const peer& real, wire::watchdog& dog);
absl::Status clean_up_server(const op& what, const peer& real, wire::watchdog& dog);

}  // namespace bench
