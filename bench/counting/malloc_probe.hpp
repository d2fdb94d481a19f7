#pragma once
// What a shared library that is loaded before libc (LD_PRELOAD) tells about the heap, C libraries included: libmongoc,
// libbson and libpq call its malloc. It is a library of its own, so that the program's timed rounds run on libc's malloc as
// they do for everybody.
//
// C linkage: the program finds these by name, and there are none where the library is not loaded.

#include <cstdint>

namespace bench::counting {

/// Of all threads, between wirebench_heap_begin() and wirebench_heap_end().
struct heap_counts {
  std::uint64_t allocations;      ///< calls of malloc, calloc, realloc and their aligned kin
  std::uint64_t allocated_bytes;  ///< as asked for
  std::int64_t
      live_peak_bytes;  ///< most that was live at once, above the beginning; as malloc_usable_size() tells
  std::int64_t growth_bytes;  ///< live at the end, above the beginning; negative when more was freed
};

using heap_begin_function = void (*)();
using heap_end_function = heap_counts (*)();

inline constexpr char heap_begin_name[] = "wirebench_heap_begin";
inline constexpr char heap_end_name[] = "wirebench_heap_end";

}  // namespace bench::counting
