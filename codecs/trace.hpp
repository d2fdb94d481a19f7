#pragma once
// What the traces of both protocols share.

#include <string>
#include <string_view>

namespace codecs {

enum class direction { to_server, to_client };

inline const char* arrow(direction to) {
  return to == direction::to_server ? "->" : "<-";
}

/// Text from the wire may hold any bytes: a line stays a line, and is cut after 100 of them.
std::string printable(std::string_view text);

}  // namespace codecs
