#pragma once
// Ctrl-C as a flag: what was measured so far is still reported and saved.

#include <atomic>

namespace tools {

/// Set by SIGINT and SIGTERM from the first call on. A second signal ends the program at once.
const std::atomic<bool>& stop_flag();

}  // namespace tools
