#pragma once
// Results of fresh processes put together. Code, heap and stack lie elsewhere in each process, which moves a result by
// several per cent with a tight interval in every single one (measurement method, part 10); so where there are enough
// processes, compare() takes their medians as the sample.

#include "bench/result.hpp"

#include "absl/status/status.h"

namespace bench {

/// Appends the rounds of `one`, the next process of the same ladder, to `whole`: rows, connection sets and processes count
/// on, cells are matched by id, an op that `whole` does not have yet is added. Figures, comparisons and warnings are left
/// to whoever has all processes.
///
/// FailedPrecondition when an op's row groups differ, since its rounds then cannot be paired in one table: `whole` is left
/// as it was.
absl::Status append_process(result& whole, const result& one);

}  // namespace bench
