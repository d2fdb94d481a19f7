#pragma once
// What `files` measured, for a terminal.

#include "bench/result.hpp"

#include <string>

namespace bench {

/// Wants a result of `files`. Store after store: the phases, then memory, disk, errors and retries. At most 110 columns.
std::string report_files(const result& measured, bool colour);

}  // namespace bench
