#pragma once
// What nearly every test includes, read once per test program: nearly half of a test file's compile time. More in here
// makes it slower.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>
