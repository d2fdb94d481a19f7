#pragma once
// The ladder: the same op, the same request bytes, on rungs that differ in one thing.
//
//   floor   bare send/recv    null over TCP     what the raw client itself costs
//   mem     raw               null in memory    codec, framing, user-space copies
//   unix    raw               null over UNIX    + system calls, wake-ups
//   tcp0    raw, twice        null over TCP     + TCP; the two against each other are the run's own A/A
//   driver  libmongoc, libpq  null over TCP     driver overhead = driver - tcp0
//   real    raw and driver    real over TCP     + the server's work

#include "wire/watchdog.hpp"

#include "bench/cell_plan.hpp"
#include "bench/op_set.hpp"

#include <string>
#include <vector>

namespace bench {

/// From the lowest rung to the highest.
inline constexpr const char* rungs[] = {"floor", "mem", "unix", "tcp0", "driver", "real"};

/// The peers of one protocol; both live as long as the plans made with them.
struct ladder_peers {
  const peer* null = nullptr;
  const peer* real = nullptr;  ///< null: the rung `real` is left out
};

/// The cells of an op on the named rungs, ready for run(). Without a rung named, all of them. Cells keep references to
/// `peers` and `dog`.
std::vector<cell_plan> plan_ladder(const op& what, const std::vector<std::string>& on_rungs,
                                   ladder_peers peers, wire::watchdog& dog);

/// Makes what the op needs on a real server (the table wirebench_rows, the collection wirebench.docs), and takes it away
/// again; nothing for ops that need no data.
absl::Status set_up_server(const op& what, const peer& real, wire::watchdog& dog);
absl::Status clean_up_server(const op& what, const peer& real, wire::watchdog& dog);

}  // namespace bench
