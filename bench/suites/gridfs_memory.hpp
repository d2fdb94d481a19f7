#pragma once
// gridfs-memory: what memory a client takes to store a file in GridFS, by chunk size. In 2015 a driver took 230 MB for chunks of
// 255 KiB and 3 MB for chunks of 256 KiB, and nobody found out why. Each client and chunk size is a process of its own, so that no
// cell finds a heap that another one has shaped.

#include "bench/result.hpp"

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace bench::suites {

inline constexpr char gridfs_memory[] = "gridfs-memory";
inline constexpr std::int64_t gridfs_memory_bytes = 357'000'000;

/// A client of libmongoc's bucket API, and one of its older API, beside the strategies of the raw client.
inline constexpr char libmongoc_bucket[] = "libmongoc";
inline constexpr char libmongoc_legacy[] = "libmongoc-legacy";
std::vector<std::string> gridfs_memory_clients();

struct gridfs_memory_options {
  std::vector<std::string> clients;  ///< of gridfs_memory_clients()
  std::vector<std::int64_t> chunk_bytes = {255 * 1024, 256 * 1024, 1024 * 1024};
  std::int64_t file_bytes = 0;
  std::uint64_t seed = 1;  ///< of the order
};

/// InvalidArgument with a sentence that says what cannot be had, and how to mend it.
absl::Status check(const gridfs_memory_options& options);

/// The cells by client and chunk size, as they are reported. `peer` is "null" or the name of a real server.
std::vector<labels> plan_gridfs_memory(const gridfs_memory_options& options, const std::string& peer);

/// The order in which they are run: indices into the plan.
std::vector<std::size_t> order_of(std::size_t cells, std::uint64_t seed);

/// At most 110 columns.
std::string report_gridfs_memory(const result& measured, bool colour);

}  // namespace bench::suites
