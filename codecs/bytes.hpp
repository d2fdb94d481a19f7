#pragma once
// Views of bytes and fixed-width integers in either byte order. Everything here is inline and free of checks:
// bounds are the business of reader and writer.

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace codecs {

using bytes_view = std::span<const std::uint8_t>;
using bytes_span = std::span<std::uint8_t>;

inline bytes_view as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::string_view as_text(bytes_view bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

static_assert(std::endian::native == std::endian::little, "wirebench runs on little-endian Linux");

template <typename Integer>
Integer swap_bytes(Integer value) {
  if constexpr (sizeof value == 2) {
    return static_cast<Integer>(__builtin_bswap16(static_cast<std::uint16_t>(value)));
  } else if constexpr (sizeof value == 4) {
    return static_cast<Integer>(__builtin_bswap32(static_cast<std::uint32_t>(value)));
  } else {
    static_assert(sizeof value == 8);
    return static_cast<Integer>(__builtin_bswap64(static_cast<std::uint64_t>(value)));
  }
}

template <typename Integer>
Integer load_le(const std::uint8_t* from) {
  Integer value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename Integer>
Integer load_be(const std::uint8_t* from) {
  return swap_bytes(load_le<Integer>(from));
}

template <typename Integer>
void store_le(std::uint8_t* to, Integer value) {
  std::memcpy(to, &value, sizeof value);
}

template <typename Integer>
void store_be(std::uint8_t* to, Integer value) {
  store_le(to, swap_bytes(value));
}

}  // namespace codecs
