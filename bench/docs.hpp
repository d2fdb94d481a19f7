#pragma once
// The document workloads: the tests of workloads/docs_data.hpp in their order, each over a given number of documents, through
// the raw client and through libmongoc, on the null server and on a real one.
//
//   a test    = rows x one round of each client, whose order changes from row to row
//   a round   = the same documents for both, on each one's own collection; every thread sends whole commands
//   before it = rounds that are not counted, until 200 ms have passed
//
// A round is short, so both halves of a pair see the same weather, and the ratio libmongoc / raw carries the sign interval of
// compare.hpp. An op of a round is one document. What the ladder does and this does not: connections are kept for the whole
// run, because every document is written once.

#include "wire/watchdog.hpp"

#include "bench/peer.hpp"
#include "bench/result.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace bench {

struct docs_options {
  std::uint64_t count = 100'000;     ///< documents that are inserted, and updated
  std::uint64_t found = 10'000;      ///< documents that each find test brings; at most `count`
  std::size_t document_bytes = 400;  ///< 45 to 16 MiB
  std::uint64_t batch = 200;         ///< documents per command, 1 to 100,000
  std::uint64_t threads = 1;         ///< connections of each client, 1 to 100
  std::uint64_t seed = 1;            ///< of the random ids and of the order of rounds
  int cpu = 0;
  const std::atomic<bool>* stop = nullptr;  ///< set by Ctrl-C; looked at between rounds
  std::function<void(double share, const std::string& test)> on_progress;
};

/// InvalidArgument with a sentence that says which of them cannot be had, and how to mend it.
absl::Status check(const docs_options& options);

struct docs_peers {
  const peer* null = nullptr;
  const peer* real = nullptr;       ///< null: there is none
  std::optional<pid_t> server_pid;  ///< of a real server that its peer does not know
};

/// Documents from `first` to below `second` of a test, row by row: some forty rows, an even number, in which every thread
/// sends full commands; fewer where there are not so many commands. A row's documents may differ from another row's by one
/// command per thread.
std::vector<std::pair<std::uint64_t, std::uint64_t>> plan_docs_rows(std::uint64_t documents,
                                                                    std::uint64_t batch,
                                                                    std::uint64_t threads);

/// Measures and adds cells, comparisons, plans, totals and warnings to `measured`, whole rows only; what was measured before a
/// failure or the stop flag stays. Pins the calling thread as long as it runs. Makes and removes the collections docs_raw and
/// docs_drv of database wirebench (names of equal length, so that equal messages have equal lengths).
///
/// DataLoss when a server answers with other documents or counts than it was asked for.
absl::Status run_docs(const docs_options& options, const docs_peers& peers, wire::watchdog& dog,
                      result& measured);

}  // namespace bench
