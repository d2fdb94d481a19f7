#pragma once
// One thread of the file-server workload: its connection to a store, the files that it registers, stores or reads one after the
// other, and what came of them.

#include "bench/files_plan.hpp"
#include "bench/histogram.hpp"
#include "bench/load/recording.hpp"
#include "bench/resources.hpp"
#include "bench/workloads/file_store.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <string>

namespace bench {

enum class file_work { enter, store, read };

/// What lanes share. Each file is one lane's at a time, so its marks need no lock.
struct file_shelf {
  const workloads::file_contents& contents;
  const std::vector<planned_file>& files;
  workloads::file_backend& backend;
  std::uint64_t max_tries = 1;
  const std::atomic<bool>* stop = nullptr;
  enum class mark : char { none, known, fresh };
  std::vector<mark> entered;    ///< by file: what the register said
  std::vector<char> has_entry;  ///< by content: it is registered
  std::vector<char> is_stored;  ///< by content

  void clear();
  std::atomic<std::uint64_t> done{0};  ///< files of the phase, failed ones and those left out too
};

struct lane_tally {
  std::uint64_t files = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t failed = 0;
  std::map<std::string, load::error_count> errors;
  std::map<std::string, load::error_count> retries;  ///< by their reasons
  histogram latencies;
  absl::Status wrong;  ///< the first answer that cannot be right

  void add(const lane_tally& other);
};

class file_lane {
 public:
  /// `shelf` outlives the lane.
  file_lane(file_shelf& shelf, std::unique_ptr<workloads::file_store> connected)
      : shelf_(shelf), store_(std::move(connected)) {}

  /// Does its files in their order, until the stop flag is set.
  void work(file_work what, const std::vector<std::size_t>& files);

  // Of the last work().
  const absl::Status& lost() const {
    return lost_;
  }  ///< why the store could not be reached any more; files are left
  const lane_tally& tally() const { return tally_; }
  const usage& used() const { return used_; }
  std::int64_t began_ns() const { return began_ns_; }
  std::int64_t ended_ns() const { return ended_ns_; }
  std::optional<traffic> moved() const { return moved_; }

 private:
  absl::Status one(file_work what, std::size_t file, bool again);
  absl::Status enter(std::size_t file, bool again);
  absl::Status store(std::size_t file, bool again);
  absl::Status read(std::size_t file);
  absl::Status tried(file_work what, std::size_t file);
  absl::Status connected();
  bool left_out(file_work what, std::size_t file) const;
  bool stopped() const;

  file_shelf& shelf_;
  std::unique_ptr<workloads::file_store> store_;
  lane_tally tally_;
  absl::Status lost_;
  usage used_;
  std::optional<traffic> moved_;
  std::int64_t began_ns_ = 0;
  std::int64_t ended_ns_ = 0;
};

}  // namespace bench
