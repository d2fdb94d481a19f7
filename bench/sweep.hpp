#pragma once
// The sweep: one file moved by every framing x strategy x chunk size of a direction, and by the drivers, as cells of one op:
//
//   op      upload | download: every cell moves the same number of bytes
//   rung    null | real
//   first   the first cell of all, twice: what this run cannot tell apart, and what all others are compared with
//
// An op is a whole file as a user would store it, with its transaction, its files document, and its objects made and closed.

#include "wire/watchdog.hpp"

#include "bench/cell_plan.hpp"
#include "bench/workloads/transfer.hpp"

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace bench {

/// Of a strategy list: the driver that moves files by the framing, where there is one.
inline constexpr char driver_strategy[] = "driver";

/// And the bare loop (workloads/transfer_floor), on null servers alone.
inline constexpr char floor_strategy[] = "floor";

struct sweep_options {
  std::vector<const workloads::framing*> framings;  ///< those that go neither way are left out
  std::vector<std::string>
      strategies;  ///< in this order; empty: all; those of the other direction are left out
  std::vector<std::int64_t> chunk_bytes;
  std::int64_t file_bytes = 0;
  std::size_t window = 1;
  std::size_t batch = 1;
};

/// InvalidArgument with a sentence that says what cannot be had, and how to mend it.
absl::Status check(const sweep_options& options, const std::vector<workloads::direction>& ways);

/// Peers by protocol; null: cells that need one are left out.
struct sweep_peers {
  const peer* mongo = nullptr;
  const peer* pg = nullptr;
  const peer* real_mongo = nullptr;
  const peer* real_pg = nullptr;
};

/// The cells of one direction, ready for run(); none when nothing goes that way. `peers`, `payload` and `dog` outlive them.
std::vector<cell_plan> plan_sweep(const sweep_options& options, workloads::direction way,
                                  const sweep_peers& peers, workloads::transfer_payload& payload,
                                  wire::watchdog& dog);

/// Whether a cell of these moves its payload out of files.
bool needs_files(const sweep_options& options, const std::vector<workloads::direction>& ways);

/// Takes the buckets of a sweep off a real MongoDB; large objects go with the connections that made them.
absl::Status clean_up_sweep(const sweep_peers& peers, wire::watchdog& dog);

/// "255K", "1M", "1000": as short as it can be said exactly.
std::string size_name(std::int64_t bytes);

}  // namespace bench
