#pragma once
// Reading without keeping: what the peer of a bulk transfer wants of a frame that is still arriving. Large payload inside of it
// is not looked at, so that whoever reads may throw it away (null servers that drain or discard); all else is kept and
// checked as ever. The frame stands in the buffer at its full length, with nothing in particular where payload was.

#include <cstddef>
#include <limits>

namespace codecs {

struct appetite {
  /// At most so many of the bytes that come next are to be read and kept before the question is asked again; 0: none of the
  /// next `skip` bytes is ever looked at.
  std::size_t keep = std::numeric_limits<std::size_t>::max();
  std::size_t skip = 0;

  /// A document or value of more bytes than that is payload.
  static constexpr std::size_t kept_bytes = 16 * 1024;

  /// Heads are taken in so large pieces: fewer than that of a payload come with its head.
  static constexpr std::size_t head_bytes = 256;

  /// Where `missing` bytes must be there before anything else can be said.
  static appetite more(std::size_t missing) { return {missing < head_bytes ? head_bytes : missing, 0}; }
  static appetite without(std::size_t payload) { return {0, payload}; }
};

}  // namespace codecs
