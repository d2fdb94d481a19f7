#pragma once
// Base64 of RFC 4648 section 4: the standard alphabet, with padding, on one line.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

std::string encode_base64(std::span<const std::uint8_t> bytes);

/// Empty for what encode_base64 cannot have written: another alphabet, blanks, missing padding, bits behind the end.
std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text);

}  // namespace bench
