#pragma once
// A sink that receives payload itself, into places that are no memory. For a channel that receives directly.

#include "wire/transport.hpp"

namespace wire {

class receiver {
 public:
  /// Whether this is an address in a place that the sink has named (chunk_sink::place).
  virtual bool holds(const void* address) const = 0;

  /// Moves at least one of the bytes that come next to that place, and waits for it if `waiting`. What cannot be kept counts as
  /// received: the sink says so when it is put() there. The channel counts this as one read; calls beyond one are the sink's own.
  virtual io_result receive(int socket, codecs::bytes_span place, bool waiting) = 0;

 protected:
  ~receiver() = default;
};

}  // namespace wire
