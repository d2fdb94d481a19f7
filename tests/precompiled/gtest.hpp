// What nearly every test includes, read once per test program: nearly half of a test file's compile time. More in here makes it
// slower. The compiler itself puts it first; without #pragma once, of which GCC warns where a header is what it compiles.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>
