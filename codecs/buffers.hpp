#pragma once
// The two halves of every strategy: where received bytes lie and how bytes to send are gathered. Calls are
// virtual, and made per read, per write or per payload, never per field.
//
//   receive   |  consumed  |  data(): unread, contiguous  |  prepare(n): writable  |
//   send      | consumed | [encoded][borrowed payload][encoded] ...     in the order of commit() and refer()
//
// Size limits live in the buffers, so that a hostile length cannot make anybody allocate.

#include "codecs/bytes.hpp"

#include <cstddef>

namespace codecs {

class receive_buffer {
 public:
  virtual ~receive_buffer() = default;

  /// A writable span of at least `size` bytes behind the unread ones; it may move memory, which ends the
  /// validity of every view taken from data(). Empty when the unread bytes and `size` together pass the
  /// limit.
  virtual bytes_span prepare(std::size_t size) = 0;

  /// `size` bytes of the prepared span have arrived.
  virtual void commit(std::size_t size) = 0;

  /// All unread bytes, contiguous; valid until the next prepare().
  virtual bytes_view data() const = 0;

  /// Drops `size` unread bytes from the front. Never moves memory: views of them stay valid until prepare().
  virtual void consume(std::size_t size) = 0;

  /// Unread bytes that were moved in user space so far: by prepare(), when they stood in the way.
  virtual std::uint64_t copied_bytes() const { return 0; }
};

class send_buffer {
 public:
  virtual ~send_buffer() = default;

  /// A writable span of at least `size` bytes; it may move encoded bytes. Empty when over the limit.
  virtual bytes_span prepare(std::size_t size) = 0;

  /// `size` bytes of the prepared span are encoded. What is left of the span stays valid until prepare().
  virtual void commit(std::size_t size) = 0;

  /// Appends borrowed bytes behind what is committed. The caller keeps them alive and unchanged until they are
  /// consumed or cleared. A strategy may copy instead of borrowing. False when over the limit.
  virtual bool refer(bytes_view payload) = 0;

  /// Address of the encoded byte with that index, counted over the encoded bytes alone that are there (commit(),
  /// not refer()), for lengths that become known later; valid until the next prepare().
  virtual std::uint8_t* encoded(std::size_t index) = 0;

  /// Encoded bytes that are there, which is the index of the next one.
  virtual std::size_t encoded_size() const = 0;

  /// All bytes in order, ready for a gathered write; valid until the next prepare(), refer(), consume() or clear().
  virtual std::span<const bytes_view> segments() = 0;

  /// Encoded and borrowed bytes together.
  virtual std::size_t size() const = 0;

  /// Drops the first `size` bytes, which were sent, and returns how many are left. Its cost is that of what it drops, however
  /// much is left, and memory that it frees is used again: a buffer that never runs empty does not grow. Not in the middle of
  /// a message that is being encoded, since it shifts what encoded() counts.
  virtual std::size_t consume(std::size_t size) = 0;

  /// Drops everything, keeps memory for the next message.
  virtual void clear() = 0;

  /// Payload bytes that refer() has copied in user space so far (0 for a strategy that only borrows).
  virtual std::uint64_t copied_bytes() const = 0;
};

}  // namespace codecs
