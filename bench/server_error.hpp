#pragma once
// The code that a server gave its error (PostgreSQL: SQLSTATE), carried along with the sentence.

#include <string>

#include "absl/status/status.h"

namespace bench {

/// `error` with that code; unchanged when the code is empty.
absl::Status with_server_code(absl::Status error, const std::string& code);

/// The code that came with it; empty when there was none.
std::string server_code(const absl::Status& error);

}  // namespace bench
