#pragma once
// Payload that stays in its file until the kernel sends it from there. Each byte of the file has an address that nobody may read
// from, so that a gather list can name it between bytes that are in memory.

#include <cstdint>
#include <functional>

namespace wire {

struct file_addresses {
  const std::uint8_t* begin = nullptr;  ///< of the file's first byte
  std::size_t size = 0;
  int file = -1;  ///< a descriptor; -1: there are no such addresses

  bool hold(const void* address) const {
    const auto* const at = static_cast<const std::uint8_t*>(address);
    return std::less_equal<>()(begin, at) && std::less<>()(at, begin + size);
  }
  std::int64_t offset_of(const void* address) const {
    return static_cast<const std::uint8_t*>(address) - begin;
  }
};

}  // namespace wire
