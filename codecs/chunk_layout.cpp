#include "codecs/chunk_layout.hpp"

#include <fmt/format.h>

namespace codecs {

std::string chunk_layout::name(std::int64_t offset) const {
  return fmt::format("chunk {} (from byte {} on)", (offset + chunk_bytes - 1) / chunk_bytes, offset);
}

}  // namespace codecs
