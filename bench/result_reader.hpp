#pragma once
// A result file back into the model: what report_json wrote, of this version or an older one.

#include "bench/result.hpp"

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace bench {

/// The largest text that is read. Some 600 bytes hold a round, so that is hours of measuring; what it takes in memory is
/// bounded with it.
inline constexpr std::size_t largest_result_bytes = 256UL << 20U;

/// Reads one result. Keys that this version does not know are passed over, keys that older versions did not write are
/// empty; report_json of what was read gives the same bytes. Control characters in text come back as blanks: a file must not
/// steer the terminal that shows it.
///
/// DataLoss with a clause that goes behind the file's name ("ends early, after byte 812"): cut short, not JSON, not a result,
/// written by a newer wirebench (schema_version), a key that is missing, of another type, or contradicts another, named by
/// its path ("cells[2].rounds[7].ops is missing").
absl::StatusOr<result> read_result(const std::string& text);

}  // namespace bench
