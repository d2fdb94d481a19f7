#pragma once
// Which files the file-server workload stores and reads, and by whom: known before the first one, so that runs with one seed do
// the same. A file whose content is a duplicate has that of an earlier file of the same thread, which therefore is registered
// before it, whatever the others do.

#include "bench/workloads/file_contents.hpp"
#include "bench/workloads/file_store.hpp"

#include <functional>
#include <vector>

namespace bench {

struct files_options;

struct planned_file {
  workloads::file_key key;
  std::uint64_t content = 0;  ///< of the pool
  bool duplicate = false;
};

/// Indices of files, in order, of one thread each.
using lanes = std::vector<std::vector<std::size_t>>;

class files_plan {
 public:
  explicit files_plan(const files_options& options);

  std::vector<planned_file>& files() { return files_; }
  const std::vector<planned_file>& files() const { return files_; }

  const lanes& single() const { return single_; }      ///< what one thread stores
  const lanes& threaded() const { return threaded_; }  ///< what all threads store; empty with one thread
  const lanes& random() const { return random_; }      ///< what all threads read; any file

 private:
  std::vector<planned_file> files_;
  lanes single_;
  lanes threaded_;
  lanes random_;
};

}  // namespace bench
