#pragma once
// Ctrl-C as a flag: what was measured so far is still reported and saved.

#include <atomic>

namespace tools {

/// Set by SIGINT and SIGTERM from the first call on. Another signal ends the program at once, unless it comes within a second:
/// timeout(1) sends its signal twice, to the process and to its group.
const std::atomic<bool>& stop_flag();

}  // namespace tools
