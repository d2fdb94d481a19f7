#include "tests/support/hex.hpp"

#include <gtest/gtest.h>

#include <cctype>

namespace tests {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  ADD_FAILURE() << "not a hex digit: '" << c << "'";
  return 0;
}

std::string digits_of(std::string_view text) {
  std::string digits;
  bool comment = false;
  for (const char c : text) {
    if (c == '#') comment = true;
    if (c == '\n') comment = false;
    if (!comment && std::isspace(static_cast<unsigned char>(c)) == 0) digits += c;
  }
  return digits;
}

}  // namespace

bytes hex(std::string_view text) {
  const std::string digits = digits_of(text);
  EXPECT_EQ(digits.size() % 2, 0u) << "odd number of hex digits";
  bytes data;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    data.push_back(static_cast<std::uint8_t>(digit(digits[i]) * 16 + digit(digits[i + 1])));
  }
  return data;
}

std::string to_hex(codecs::bytes_view data) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : data) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace tests
