#pragma once
// The memory that storing one file took, beside the cell that stored it: part of a result.

#include <cstdint>
#include <optional>
#include <string>

namespace bench {

/// One file, stored by a process that has done nothing but store the iterations before it.
struct memory_row {
  std::string cell;  ///< id
  std::uint64_t iteration = 0;
  std::string file_id;  ///< the file's `_id`, as 24 digits
  std::int64_t file_bytes = 0;
  std::optional<std::int64_t>
      live_heap_peak_bytes;  ///< above the iteration's beginning; C libraries included
  std::optional<std::uint64_t> allocations;
  std::optional<std::int64_t> rss_peak_bytes;   ///< VmHWM since the process's start, mapped files included
  std::optional<std::int64_t> anon_peak_bytes;  ///< RssAnon, the largest of readings about every millisecond
  std::int64_t minor_faults = 0;                ///< of the thread that stores
  std::optional<std::uint64_t>
      mmap_calls;  ///< these two: of that thread, in a run of their own under ptrace(2)
  std::optional<std::uint64_t> brk_calls;
};

}  // namespace bench
