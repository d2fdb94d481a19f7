#pragma once
// A source that sends its chunks itself, by other system calls than a gathered write. All other bytes, such as the heads around
// the chunks, stay the channel's.

#include "wire/transport.hpp"

namespace wire {

class sender {
 public:
  /// Before an upload over `socket`, which it sends over until end(). False: it cannot, and the source says why().
  virtual bool begin(int /*socket*/) { return true; }

  /// Whether the byte with this address is one of those that it sends. What lies behind it in a chunk is, too.
  virtual bool holds(const void* address) const = 0;

  /// Sends as many of these bytes, at least one, as the socket takes without waiting; EAGAIN: none. ENODATA: they are not there.
  /// The channel counts this as one write; calls beyond one are the source's own.
  virtual io_result send(int socket, codecs::bytes_view bytes) = 0;

  /// After the upload, whether it was good or not, and before the owner of the payload may use its memory again.
  virtual void end() {}

 protected:
  ~sender() = default;
};

}  // namespace wire
