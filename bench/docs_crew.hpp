#pragma once
// The connections of one client that do their shares of a round at the same time, one thread each. A single connection works
// in the caller's thread: waking another one would cost more than a command.
//
//   run() sets the shares | start barrier | every thread: clock, its share, clock | finish barrier | sums
//
// A round lasts from the first thread's start to the last one's end.

#include "bench/resources.hpp"
#include "bench/workloads/docs_client.hpp"

#include <atomic>
#include <barrier>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

namespace bench {

class docs_crew {
 public:
  using client = std::unique_ptr<workloads::docs_client>;

  /// At least one client. Threads are placed as the calling thread is.
  explicit docs_crew(std::vector<client> clients);
  ~docs_crew();
  docs_crew(const docs_crew&) = delete;
  docs_crew& operator=(const docs_crew&) = delete;

  std::size_t size() const { return members_.size(); }

  /// What all members together have done and used; `used` knows of no server.
  struct outcome {
    std::int64_t elapsed_ns = 0;
    usage used;
    workloads::docs_tally tally;
    absl::Status status;  ///< the first member's that is not ok
  };
  outcome run(const workloads::docs_share& share);

  /// Sums over the members; empty where a client does not tell.
  std::optional<std::uint64_t> syscalls() const;
  std::optional<traffic> counted() const;

 private:
  struct member {
    client works;
    workloads::docs_share share;
    std::int64_t began_ns = 0;
    std::int64_t ended_ns = 0;
    usage used;
    workloads::docs_tally tally;
    absl::Status status;

    void do_share();
  };

  outcome summed() const;

  std::deque<member> members_;
  std::barrier<> start_;
  std::barrier<> finish_;
  bool leaving_ = false;  // read behind the start barrier
  std::vector<std::thread> threads_;
};

}  // namespace bench
