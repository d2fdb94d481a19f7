#pragma once
// Heap allocations of the whole process, C libraries included: malloc and its kin are interposed in programs
// that link allocations.cpp. Under a sanitizer, which brings a malloc of its own, nothing is counted.

#include <cstdint>

namespace tests {

/// False where nothing is counted.
bool allocations_counted();

/// Calls of malloc, calloc, realloc, aligned_alloc and posix_memalign so far, by all threads.
std::uint64_t allocations();

}  // namespace tests
