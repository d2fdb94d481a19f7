#pragma once
// How a file is cut into chunks: all of one size but the last, which may be shorter. Chunks are named by where they begin.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace codecs {

struct chunk_layout {
  std::int64_t file_bytes = 0;
  std::size_t chunk_bytes = 1;  ///< from 1

  /// Chunks of the file; none of an empty one.
  std::int64_t count() const { return file_bytes / chunk() + (file_bytes % chunk() == 0 ? 0 : 1); }

  /// Bytes of the chunk that begins at `offset`; 0 at the end of the file.
  std::size_t size_at(std::int64_t offset) const {
    return static_cast<std::size_t>(std::min(file_bytes - offset, chunk()));
  }

  /// The chunk that begins at `offset`, for a person: "chunk 3 (from byte 786432 on)". The first one is chunk 0; the one behind the
  /// end has a number of its own.
  std::string name(std::int64_t offset) const;

 private:
  std::int64_t chunk() const { return static_cast<std::int64_t>(chunk_bytes); }
};

}  // namespace codecs
