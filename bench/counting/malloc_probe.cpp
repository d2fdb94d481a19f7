#include "bench/counting/malloc_probe.hpp"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {

using std::memory_order_relaxed;

std::atomic<bool> counting{false};
std::atomic<std::uint64_t> allocations{0};
std::atomic<std::uint64_t> allocated_bytes{0};
std::atomic<std::int64_t> live_bytes{0};
std::atomic<std::int64_t> live_peak_bytes{0};

std::int64_t usable(void* block) {
  return static_cast<std::int64_t>(malloc_usable_size(block));  // 0 for null
}

void add_live(std::int64_t bytes) {
  const auto live = live_bytes.fetch_add(bytes, memory_order_relaxed) + bytes;
  auto peak = live_peak_bytes.load(memory_order_relaxed);
  while (live > peak && !live_peak_bytes.compare_exchange_weak(peak, live, memory_order_relaxed)) {
  }
}

void* allocated(void* block, std::size_t size) {
  if (counting.load(memory_order_relaxed)) {
    allocations.fetch_add(1, memory_order_relaxed);
    allocated_bytes.fetch_add(size, memory_order_relaxed);
    add_live(usable(block));
  }
  return block;
}

void freed(std::int64_t usable_bytes) {
  if (counting.load(memory_order_relaxed)) add_live(-usable_bytes);
}

}  // namespace

extern "C" {

void wirebench_heap_begin() {
  allocations = 0;
  allocated_bytes = 0;
  live_bytes = 0;
  live_peak_bytes = 0;
  counting = true;
}

bench::counting::heap_counts wirebench_heap_end() {
  counting = false;
  return {allocations, allocated_bytes, live_peak_bytes, live_bytes};
}

// glibc's own entry points behind the interposed names.
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) {
  return allocated(__libc_malloc(size), size);
}
void* calloc(std::size_t items, std::size_t size) {
  return allocated(__libc_calloc(items, size), items * size);
}
void* realloc(void* block, std::size_t size) {
  freed(usable(block));
  return allocated(__libc_realloc(block, size), size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return allocated(__libc_memalign(alignment, size), size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocated(__libc_memalign(alignment, size), size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = allocated(__libc_memalign(alignment, size), size);
  return *block == nullptr ? ENOMEM : 0;
}
void free(void* block) {
  freed(usable(block));
  __libc_free(block);
}
}
