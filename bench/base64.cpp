#include "bench/base64.hpp"

#include <array>

namespace bench {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t none = 0xff;

constexpr auto digits = [] {
  std::array<std::uint8_t, 256> of{};
  of.fill(none);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    of[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return of;
}();

}  // namespace

std::string encode_base64(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = group << 8 | (j < here ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= here ? alphabet[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  text.remove_suffix(padding);

  std::vector<std::uint8_t> bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char letter : text) {
    const auto digit = digits[static_cast<unsigned char>(letter)];
    if (digit == none) return std::nullopt;
    group = group << 6 | digit;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<std::uint8_t>(group >> bits));
    group &= (1U << bits) - 1;
  }
  return group == 0 ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace bench
