#include "wire/strategy/file_addresses.hpp"

#include <sys/mman.h>

namespace wire {

file_addresses::~file_addresses() {
  if (size_ != 0) ::munmap(begin_, size_);
}

bool file_addresses::reserve(std::size_t bytes, end_counters& cost) {
  ++cost.syscalls;
  constexpr int nothing = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  auto* const at = ::mmap(nullptr, bytes, PROT_NONE, nothing, -1, 0);
  if (at == MAP_FAILED) return false;
  begin_ = static_cast<std::uint8_t*>(at);
  size_ = bytes;
  return true;
}

}  // namespace wire
