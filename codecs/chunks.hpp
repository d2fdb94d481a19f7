#pragma once
// The two ends of a chunk pipeline: where an upload's payload comes from and where a download's goes. A framing (an exchange that
// moves a file) asks and gives chunk by chunk, in order; how the bytes got there is the strategy's business (wire/strategy).
//
//   source --take()--> framing --refer()--> send_buffer        frame --> framing --put()--> sink
//        <-release()--         (reply: the peer has it)

#include "codecs/bytes.hpp"
#include "codecs/errc.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace codecs {

class chunk_source {
 public:
  virtual ~chunk_source() = default;

  /// All bytes, from the first to the last; known before the upload begins.
  virtual std::int64_t size() const = 0;

  /// The next `size` bytes, all of them, whatever single reads of the source bring; unchanged until they are released. Empty: the
  /// source came to an end too early or could not be read, see why().
  virtual bytes_view take(std::size_t size) = 0;

  /// The peer has the chunk that was taken first of those not yet released: its memory may be used again. After an upload
  /// that failed some chunks are never released.
  virtual void release() = 0;

  /// The most chunks that may be taken and not yet released: a framing's window is no larger. take() is empty beyond it.
  virtual std::size_t most_in_flight() const { return std::numeric_limits<std::size_t>::max(); }

  /// Asked once, when the last chunk is released and before the upload is called a success. False: the peer may have got other
  /// bytes than the owner's, since a file was written to while it was sent, see why().
  virtual bool intact() { return true; }

  /// After take() was empty or intact() false: one clause for a person ("the file has shrunk ...").
  virtual const std::string& why() const = 0;
};

class chunk_sink {
 public:
  virtual ~chunk_sink() = default;

  /// Where the next `size` bytes of the file will be kept, so that they can be received there; put() of that very view then copies
  /// nothing. The same until that put(). Empty: nowhere beforehand, or there is not so much room.
  virtual bytes_span place(std::size_t /*size*/) { return {}; }

  /// Takes the next bytes of the file, in order; they are valid during the call. False when they cannot be kept, see why().
  virtual bool put(bytes_view bytes) = 0;

  /// After a put() that failed: one clause for a person ("no space left on device").
  virtual const std::string& why() const = 0;
};

}  // namespace codecs
