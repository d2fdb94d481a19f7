#pragma once
// HdrHistogram's interchange format V2, compressed and in base64 ("HISTFAA..."): what its log files hold and its tools read.
// All integers are big-endian; layout after HdrHistogram's AbstractHistogram (Java, 2.1.12) and hdrh (Python, 0.10.3):
//
//   0x1c849314 | length | zlib( 0x1c849313 | length of counts | 0 | digits 3 | lowest int64 1 | limit int64 | double 1 | counts )
//
//   counts: for each bucket in turn, up to the last that holds something, its count as a zigzag LEB128 number of at most nine
//   bytes, the ninth with eight bits; a run of empty buckets is one negative number
//
// What is not in a bucket (overflow, negative, exact minimum, maximum and sum) has no place in it.

#include "bench/histogram.hpp"

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace bench {

std::string encode_v2(const histogram& of);

/// DataLoss for bytes that are not such a histogram; InvalidArgument for one of another precision than three digits of whole
/// ns. Allocates by what the limit asks for, never by a length in `text`.
absl::StatusOr<histogram> decode_v2(std::string_view text);

}  // namespace bench
