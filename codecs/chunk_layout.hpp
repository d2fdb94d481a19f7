#pragma once
// How a file is cut into chunks: all of one size but the last, which has what is left. A file of no bytes has no chunk.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace codecs {

struct chunk_layout {
  std::int64_t file_bytes = 0;
  std::int64_t chunk_bytes = 1;  ///< from 1

  std::int64_t count() const { return file_bytes / chunk_bytes + (file_bytes % chunk_bytes == 0 ? 0 : 1); }

  /// Of chunk `n`, from 0 to below count().
  std::size_t bytes_of(std::int64_t n) const { return size_at(n * chunk_bytes); }

  /// Bytes of the chunk that begins at `offset`; 0 at the end of the file.
  std::size_t size_at(std::int64_t offset) const {
    return static_cast<std::size_t>(std::min(file_bytes - offset, chunk_bytes));
  }

  /// The chunk that begins at `offset`, for a person: "chunk 3 (from byte 786432 on)". The first one is chunk 0; the one behind the
  /// end has a number of its own.
  std::string name(std::int64_t offset) const;
};

}  // namespace codecs
