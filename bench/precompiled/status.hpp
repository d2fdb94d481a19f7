// What nearly every file of this folder includes, read once: a third of a file's compile time. The compiler itself puts it first; each
// file still includes what it uses. Without #pragma once, of which GCC warns where a header is what it compiles.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
