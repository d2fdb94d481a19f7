// Linked into a program of its own, whose malloc the probe then is.

#include "bench/counting/malloc_probe.hpp"

#include <gtest/gtest.h>

#include <malloc.h>

#include <cstdlib>

extern "C" {
void wirebench_heap_begin();
bench::counting::heap_counts wirebench_heap_end();
}

namespace bench::counting {
namespace {

/// The optimizer may not leave out a block that it knows nobody reads.
void* keep(void* block) {
  asm volatile("" : "+r"(block) : : "memory");
  return block;
}

std::int64_t usable(void* block) {
  return static_cast<std::int64_t>(malloc_usable_size(block));
}

TEST(MallocProbe, CountsNothingWhereNothingIsAllocated) {
  wirebench_heap_begin();
  const auto counts = wirebench_heap_end();
  EXPECT_EQ(counts.allocations, 0u);
  EXPECT_EQ(counts.allocated_bytes, 0u);
  EXPECT_EQ(counts.live_peak_bytes, 0);
  EXPECT_EQ(counts.growth_bytes, 0);
}

TEST(MallocProbe, CountsEveryWayToAllocate) {
  void* aligned = nullptr;
  wirebench_heap_begin();
  void* const first = keep(std::malloc(100));
  void* const second = keep(std::calloc(3, 50));
  void* const third = keep(std::aligned_alloc(64, 128));
  const int error = posix_memalign(&aligned, 64, 256);
  const auto counts = wirebench_heap_end();
  EXPECT_EQ(error, 0);
  EXPECT_EQ(counts.allocations, 4u);
  EXPECT_EQ(counts.allocated_bytes, 100u + 150 + 128 + 256);
  EXPECT_EQ(counts.growth_bytes, usable(first) + usable(second) + usable(third) + usable(aligned));
  EXPECT_EQ(counts.live_peak_bytes, counts.growth_bytes);
  for (void* block : {first, second, third, aligned}) std::free(block);
}

TEST(MallocProbe, CountsOperatorNew) {
  wirebench_heap_begin();
  auto* const number = static_cast<int*>(keep(new int(7)));
  const auto counts = wirebench_heap_end();
  delete number;
  EXPECT_EQ(counts.allocations, 1u);
  EXPECT_EQ(counts.allocated_bytes, sizeof(int));
}

TEST(MallocProbe, TellsThePeakAndWhatIsLeft) {
  void* const before = keep(std::malloc(1000));
  const auto of_before = usable(before);
  wirebench_heap_begin();
  void* block = keep(std::malloc(5000));
  const auto of_block = usable(block);
  block = keep(std::realloc(block, 200));
  const auto of_rest = usable(block);
  std::free(before);
  const auto counts = wirebench_heap_end();
  std::free(block);
  EXPECT_EQ(counts.allocations, 2u);
  EXPECT_EQ(counts.allocated_bytes, 5200u);
  EXPECT_EQ(counts.live_peak_bytes, of_block);
  EXPECT_EQ(counts.growth_bytes, of_rest - of_before);
  EXPECT_LT(counts.growth_bytes, 0);
}

TEST(MallocProbe, CountsBetweenBeginAndEndAlone) {
  wirebench_heap_begin();
  wirebench_heap_end();
  std::free(keep(std::malloc(10)));
  wirebench_heap_begin();
  EXPECT_EQ(wirebench_heap_end().allocations, 0u);
}

}  // namespace
}  // namespace bench::counting
