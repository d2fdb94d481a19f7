#pragma once
// The canonical form of a result: strict JSON, absent values null, never NaN.

#include "bench/result.hpp"

#include <string>

namespace bench {

/// Raised when numbers stop being comparable with those of older files; keys are added, never renamed. A new key goes into
/// result_fields (as one that may be absent: older files lack it) and schema/result.schema.json (where it is not required),
/// and into the made results of their tests.
inline constexpr int schema_version = 1;

/// One line of JSON with a newline. Rounds are always in it, so that later methods can be applied to old
/// files.
std::string report_json(const result& measured);

}  // namespace bench
