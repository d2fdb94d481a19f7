#pragma once
// The one place where an error code of codecs and wire becomes a sentence and an absl::Status. The status
// code decides the program's exit code: kInvalidArgument 2, kDataLoss 5, anything
// else 1.

#include "codecs/errc.hpp"

#include <string>

#include "absl/status/status.h"

namespace wire {

/// `doing` says what was tried ("connecting to 127.0.0.1:27017"), `why` what came of it (channel::why());
/// without a `why` the code's own message serves.
absl::Status to_status(const codecs::error_code& error, const std::string& doing,
                       const std::string& why = {});

}  // namespace wire
