#pragma once
// Heap allocations of the whole process, C libraries included: malloc and its kin are interposed in programs
// that link allocations.cpp. Under a sanitizer, which brings a malloc of its own, nothing is counted.

#include <cstdint>

namespace tests {

/// False where nothing is counted.
bool allocations_counted();

/// Calls of malloc, calloc, realloc, aligned_alloc and posix_memalign so far, by all threads.
std::uint64_t allocations();

/// Those of 90 ops, after 10 that let buffers grow to their size.
template <typename Op>
std::uint64_t allocations_once_warm(Op op) {
  for (int i = 0; i < 10; ++i) op();
  const auto before = allocations();
  for (int i = 0; i < 90; ++i) op();
  return allocations() - before;
}

}  // namespace tests
