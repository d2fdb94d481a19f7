#pragma once
// Cutting a stream into frames. Whoever looks at unread bytes gets one of three answers and nothing is
// consumed: need more, a whole frame is there, or the stream is broken. The limit is checked on the header
// alone, before anything is allocated or read for the body.

#include "codecs/bytes.hpp"
#include "codecs/errc.hpp"

#include <cstddef>

namespace codecs {

struct scan_result {
  fault error;           ///< set: the stream cannot be cut any further
  std::size_t need = 0;  ///< not 0: at least that many more bytes are needed
  std::size_t size = 0;  ///< not 0: the first `size` unread bytes are a frame

  static scan_result more(std::size_t bytes) { return {.error = {}, .need = bytes, .size = 0}; }
  static scan_result frame(std::size_t bytes) { return {.error = {}, .need = 0, .size = bytes}; }
  static scan_result broken(errc code, const char* field) { return {{code, field}, 0, 0}; }

  /// The answer for a frame of `size` bytes of which `unread` are there.
  static scan_result of(std::size_t size, std::size_t unread) {
    return unread < size ? more(size - unread) : frame(size);
  }
};

}  // namespace codecs
