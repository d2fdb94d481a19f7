#pragma once
// What is asked of a tight loop: which ops, over how many connections, for how long, at which pace.

#include "wire/loop.hpp"

#include "bench/histogram.hpp"
#include "bench/load/arrivals.hpp"
#include "bench/peer.hpp"
#include "bench/workloads/raw.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace bench::load {

/// One connection with the ops of the mix, in its order, all of them over that one connection.
struct session {
  std::vector<std::unique_ptr<workload>> ops;

  /// The same ops, where they are exchanges that a loop can run; else empty (drivers, which only block).
  std::vector<workloads::raw_workload*> exchanges;
};

struct mixed_op {
  std::string name;
  std::uint32_t weight = 1;
};

struct pace {
  double rate;  ///< ops per second of all connections together
  spacing how = spacing::poisson;
};

/// What has come of the last second, for a line of progress.
struct second {
  double at_s;  ///< since the first op
  bool warming_up;
  double ops_per_s;
  const histogram& latency;  ///< service time; valid during the call
  std::uint64_t errors;
};

struct plan {
  std::vector<mixed_op> mix;

  /// Connects, logs in, prepares. Called from several threads at once, and again for every reconnect.
  std::function<absl::StatusOr<session>()> open;

  /// What answers; outlives the run.
  const peer* served_by = nullptr;

  std::size_t connections = 1;
  std::size_t threads =
      1;  ///< the connections are dealt out among them; as many as connections when blocking
  wire::loop::kind io = wire::loop::kind::blocking;
  std::size_t pipeline =
      1;  ///< ops in flight on a connection; the session then holds so many copies of each op in a row
  std::optional<int> cpu;  ///< for both sides (same-cpu); empty: unpinned

  std::int64_t warm_up_ns = 1'000'000'000;
  std::optional<std::int64_t> duration_ns;  ///< measured for so long; at least the warm-up
  std::optional<std::uint64_t> count;       ///< or until so many ops have been started behind the warm-up
  std::optional<pace> open_loop;            ///< empty: closed loop, the next op after the last reply

  std::uint64_t seed = 1;             ///< of the mix and of Poisson arrivals
  std::uint64_t max_tries = 1;        ///< of an op that the server refuses for a reason that passes
  std::uint64_t reconnect_every = 0;  ///< ops after which a connection is renewed; 0: never
  std::optional<std::int64_t> latency_limit_ns;  ///< ops that take longer are counted
  std::int64_t give_up_ns =
      10'000'000'000;  ///< a connection that cannot be had again for so long is given up

  const std::atomic<bool>* stop = nullptr;       ///< set by Ctrl-C
  std::function<void(const second&)> on_second;  ///< empty: no progress is gathered
};

}  // namespace bench::load
