#pragma once
// What an upload keeps count of, whatever its framing: chunks are taken from their source in order, and released in order as the
// peer acknowledges them; a window bounds the bytes between the two.
//
//   file   |  acknowledged  |  in flight  |  to come  |
//          0          oldest()        next()      layout().file_bytes

#include "codecs/chunk_layout.hpp"
#include "codecs/chunks.hpp"

namespace codecs {

class chunk_flight {
 public:
  /// `chunk_bytes` from 1. At most as many chunks are in flight as `window_bytes` hold and as the source allows, but one always may
  /// be.
  void begin(chunk_source& source, std::size_t chunk_bytes, std::size_t window_bytes);

  const chunk_layout& layout() const { return layout_; }

  /// Where the chunk begins that is taken next, and the oldest one in flight.
  std::int64_t next() const { return next_; }
  std::int64_t oldest() const { return oldest_; }
  std::size_t next_bytes() const { return layout_.size_at(next_); }
  std::size_t oldest_bytes() const { return layout_.size_at(oldest_); }

  bool all_taken() const { return next_ == layout_.file_bytes; }
  std::int64_t bytes_in_flight() const { return next_ - oldest_; }

  /// Of whole chunks, and so perhaps less than was asked for; 0 when it is below one.
  std::size_t window_bytes() const { return window_bytes_; }

  /// Whether there is a next chunk and it may be taken now.
  bool has_room() const;

  /// The next chunk, while there is one. Empty: the source has failed, and nothing is in flight of this chunk.
  bytes_view take();

  /// The peer has the oldest chunk in flight.
  void acknowledge();

 private:
  chunk_source* source_ = nullptr;
  chunk_layout layout_;
  std::size_t window_bytes_ = 0;
  std::int64_t next_ = 0;
  std::int64_t oldest_ = 0;
};

}  // namespace codecs
