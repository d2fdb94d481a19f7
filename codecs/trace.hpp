#pragma once
// What the traces of both protocols share.

namespace codecs {

enum class direction { to_server, to_client };

inline const char* arrow(direction to) {
  return to == direction::to_server ? "->" : "<-";
}

}  // namespace codecs
