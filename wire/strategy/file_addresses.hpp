#pragma once
// Addresses for bytes that are in a file and in no memory. Nobody may read from them, but a gather list can name them between
// bytes that are in memory, and a landing can name them as a place.

#include "codecs/bytes.hpp"

#include "wire/strategy/pipeline_end.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace wire {

class file_addresses {
 public:
  file_addresses() = default;
  file_addresses(const file_addresses&) = delete;
  file_addresses& operator=(const file_addresses&) = delete;
  ~file_addresses();

  /// Reserves them, once; no memory is behind them. False: errno says why.
  bool reserve(std::size_t bytes, end_counters& cost);

  std::size_t size() const { return size_; }
  codecs::bytes_span at(std::int64_t offset, std::size_t bytes) const { return {begin_ + offset, bytes}; }

  bool hold(const void* address) const {
    const auto* const at = static_cast<const std::uint8_t*>(address);
    return std::less_equal<>()(begin_, at) && std::less<>()(at, begin_ + size_);
  }
  std::int64_t offset_of(const void* address) const {
    return static_cast<const std::uint8_t*>(address) - begin_;
  }

 private:
  std::uint8_t* begin_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace wire
