#pragma once
// The counting passes of a result: this program's own `loop`, run again under every instrument.

#include "bench/result.hpp"

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tools {

/// Rungs whose cells are counted: those on null servers, where the client's work is all that differs.
inline const std::set<std::string> counted_rungs{"floor", "mem", "unix", "tcp0", "driver"};

struct counting_options {
  std::set<std::string> kinds;  ///< of bench::counting::kinds
  int cpu = 0;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(double share, const std::string& cell)> on_progress;
};

/// Fills the counts of the cells on counted rungs; equal cells (raw and raw again) are counted once. Ends early when
/// stopped.
void count_cells(std::vector<bench::cell>& cells, const counting_options& how);

/// Checks an option's word: one of bench::counting::kinds, or "all". Empty when it is.
std::string check_kind(const std::string& word);

/// "all" stands for every kind.
std::set<std::string> kinds_of(const std::vector<std::string>& words);

}  // namespace tools
