#pragma once
// Files in which the kernel tells about itself: /proc and /sys.

#include <string>

namespace bench {

/// The whole text of such a file without trailing white space; empty when it is not there or may not be read.
std::string read_system_file(const std::string& path);

}  // namespace bench
