#pragma once
// Expected bytes as text: literal in the test and commented field by field.
//
//   const auto ping = tests::hex(R"(
//     33000000  # messageLength 51
//     01000000  # requestID 1
//   )");

#include "codecs/bytes.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

using bytes = std::vector<std::uint8_t>;

/// Hex digits of either case to bytes; white space is ignored, `#` starts a comment up to the end of its
/// line. Any other character and an odd digit fail the running test.
bytes hex(std::string_view text);

/// The same bytes as lower-case digits without spaces, so that a mismatch can be read in the test's output.
std::string to_hex(codecs::bytes_view data);

}  // namespace tests
