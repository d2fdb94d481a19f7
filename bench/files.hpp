#pragma once
// The file-server workload: many files are registered, stored and read, on one store after the other. Registering and storing are
// phases of their own, so that their times are apart:
//
//   register          N files, one thread: hash and name
//   store             their contents, those of duplicates left out
//   register_threads  T threads x M other files       (with one thread these two are left out)
//   store_threads
//   read_in_order     all N files, one thread, by name
//   read_random       T threads x M files drawn from all
//
// A phase is a round of its cell, an op is a file, and a repetition is all phases on every store, each empty at its beginning; the
// order of the stores changes from repetition to repetition. A round lasts from the first thread's start to the last one's end.
// Hashes are computed before the first phase. Connections are opened one after the other and kept for the whole run. What is read
// was written shortly before, and the caches of system and server are as that has left them.

#include "bench/result.hpp"
#include "bench/workloads/file_store.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace bench {

struct files_options {
  std::uint64_t files = 100;        ///< that one thread stores and reads
  std::uint64_t bytes = 1'000'000;  ///< of a file
  std::uint64_t threads = 4;        ///< 1 to 100
  std::uint64_t per_thread = 25;    ///< files that each of several threads stores, and reads at random
  std::uint64_t repetitions = 1;
  std::uint64_t duplicates = 0;             ///< per cent of the files whose content was there before, 0 to 99
  std::uint64_t max_tries = 3;              ///< of one file, after a time-out or a lost connection
  std::uint64_t seed = 1;                   ///< of contents, duplicates, random reads and the order of stores
  const std::atomic<bool>* stop = nullptr;  ///< set by Ctrl-C; looked at between files
  std::function<void(double share, const std::string& phase)> on_progress;
};

using file_stores = std::vector<std::unique_ptr<workloads::file_backend>>;

/// InvalidArgument with a sentence that says which of them cannot be had, and how to mend it.
absl::Status check(const files_options& options);

/// Measures and adds cells, plans, rows and warnings to `measured`; what was measured before a failure or the stop flag stays, a
/// phase that was cut short included, with the files that it has done. At the end the stores are taken away.
///
/// A file that fails is counted, by the kind of its error, and the others go on; DataLoss when a store has called a new content
/// known or a known one new, or has read other bytes than were stored. InvalidArgument for duplicates on a null server, which knows no
/// hash again.
absl::Status run_files(const files_options& options, const file_stores& stores, result& measured);

}  // namespace bench
