#pragma once
// The content of files that cross between our clients and those of others.

#include "wire/strategy/digest_sink.hpp"

#include <string>
#include <string_view>

namespace tests {

/// As psycopg_files.py and pymongo_gridfs.py make it.
inline std::string made_content(std::size_t length) {
  std::string made(length, '\0');
  for (std::size_t i = 0; i < length; ++i) made[i] = static_cast<char>((7 * i + i / 251) % 256);
  return made;
}

inline std::string sha256_of(std::string_view content) {
  wire::digest_sink sum;
  sum.put(codecs::as_bytes(content));
  return sum.sha256();
}

}  // namespace tests
