#include "codecs/trace.hpp"

#include <fmt/format.h>

#include <iterator>

namespace codecs {

std::string printable(std::string_view text) {
  constexpr std::size_t shown_bytes = 100;
  std::string shown;
  for (const char c : text.substr(0, shown_bytes)) {
    if (c >= 0x20 && c < 0x7f) {
      shown += c;
    } else {
      fmt::format_to(std::back_inserter(shown), "\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  if (text.size() > shown_bytes) shown += "...";
  return shown;
}

}  // namespace codecs
