#include "codecs/pg/chunk_table.hpp"

#include <fmt/format.h>

namespace codecs::pg::chunk_table {

std::optional<failure> refuse(const chunk_layout& layout) {
  if (layout.count() <= max_chunks) return {};
  return failure{{errc::local_bad_value, "chunk size"},
                 fmt::format("{} bytes in chunks of {} are more than {} chunks", layout.file_bytes,
                             layout.chunk_bytes, max_chunks)};
}

std::string copy_out(file_key file) {
  return fmt::format("{}{}{}", copy_out_begin, file, copy_out_end);
}

}  // namespace codecs::pg::chunk_table
