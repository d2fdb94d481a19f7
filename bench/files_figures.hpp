#pragma once
// What the file-server workload came to, beside the rounds of its cells: part of a result. Plain values, as a result file holds
// them.

#include "bench/load/figures.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// One phase on one store: all rounds of its cell together, and what rounds do not hold.
struct files_row {
  std::string cell;   ///< id
  std::string store;  ///< "fs", "gridfs", "lo"
  std::string how;    ///< one clause: in which form it keeps files
  std::string phase;  ///< register | store | register_threads | store_threads | read_in_order | read_random
  std::uint64_t threads = 0;
  std::uint64_t file_bytes = 0;      ///< of one file
  std::uint64_t files = 0;           ///< that were done, in all rounds
  std::uint64_t payload_bytes = 0;   ///< of those that were stored or read
  std::uint64_t duplicates = 0;      ///< registered: those whose content was known and is not stored again
  std::uint64_t failed = 0;          ///< files that were given up
  std::optional<std::string> check;  ///< of reading: "bytes" or, of a null server, "length"
  std::vector<load::error_kind> errors;
  std::vector<load::error_kind> retries;          ///< by the error that was the reason
  std::optional<std::int64_t> client_peak_bytes;  ///< VmHWM during the phase, the largest of all rounds
  std::optional<std::int64_t> server_peak_bytes;  ///< the same, summed over the server's processes
  std::uint64_t server_processes = 0;
  bool peaks_of_phase =
      true;  ///< false: the kernel did not let the peak be reset, so it is that since the process began
  std::optional<std::int64_t>
      disk_bytes;  ///< what the disk holds more than before the first file; the median
};

}  // namespace bench
