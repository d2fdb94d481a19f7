#include "tests/support/allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {
std::atomic<std::uint64_t> calls{0};
}  // namespace

// GCC tells by a macro, Clang by a feature.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZERS_MALLOC
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZERS_MALLOC
#endif
#endif

#ifdef HAS_SANITIZERS_MALLOC

bool tests::allocations_counted() {
  return false;
}

#else

namespace {
void count() {
  calls.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

// glibc's own entry points behind the interposed names.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t items, std::size_t size) {
  count();
  return __libc_calloc(items, size);
}
void* realloc(void* block, std::size_t size) {
  count();
  return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  count();
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
}

bool tests::allocations_counted() {
  return true;
}

#endif

std::uint64_t tests::allocations() {
  return calls.load(std::memory_order_relaxed);
}
