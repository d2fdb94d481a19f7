#pragma once
// gridfs-vs-lo: which stores files faster, MongoDB's GridFS or PostgreSQL's large objects? Four file sizes in chunks of 512 KiB, each
// file an op with its own commit. GridFS and large objects stand in the same rows, level by level:
//
//   raw       the raw clients: GridFS; large objects by Bind/Execute (one round trip) and by FunctionCalls
//   driver    libmongoc's bucket API; libpq's lo_write
//
// each on null servers, which leaves the client and the wire, and on real ones.

#include "bench/sweep.hpp"

#include <string>
#include <vector>

namespace bench::suites {

inline constexpr char gridfs_vs_lo[] = "gridfs-vs-lo";

/// Files of one size: how many, and how long they took in 2013, one after the other.
struct stored_files {
  std::int64_t file_bytes;
  std::uint64_t files;
  double gridfs_s;
  double large_object_s;
};
inline constexpr stored_files published_files[] = {{1024, 10'000, 21.73, 23.52},
                                                   {10 * 1024, 10'000, 35.09, 17.23},
                                                   {1024 * 1024, 1'000, 49.10, 38.71},
                                                   {10 * 1024 * 1024, 100, 91.30, 55.78}};

/// The cells that are compared with each other; the first one is GridFS, and stands twice.
struct contest {
  std::string op;  ///< "1K raw null"
  std::vector<cell_plan> cells;
};

/// Up to four contests: raw and drivers, on null and on real servers, where `peers` has both of them. `peers`, `payload` and `dog`
/// outlive them.
std::vector<contest> plan_gridfs_vs_lo(std::int64_t file_bytes, const sweep_peers& peers,
                                       workloads::transfer_payload& payload, wire::watchdog& dog);

/// The table in ops per second, with what was published, and a ministat block for each of its rows. At most 110 columns.
std::string report_gridfs_vs_lo(const result& measured, bool colour);

}  // namespace bench::suites
