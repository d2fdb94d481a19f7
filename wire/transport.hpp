#pragma once
// Where bytes go: a TCP connection, a UNIX socket, or a conversation in memory. A transport moves bytes and
// knows nothing of frames. Not thread-safe, but for shutdown().

#include "codecs/bytes.hpp"
#include "codecs/exchange.hpp"

#include <sys/uio.h>

#include <cerrno>
#include <memory>
#include <span>

namespace wire {

/// What one call moved. `error` is an errno value: 0, or EAGAIN when nothing could be moved without waiting. 0 bytes
/// without an error is the end of the stream (reading alone). Two registers: an error_code would be memory traffic in
/// every call.
struct io_result {
  std::size_t bytes = 0;
  int error = 0;
};

class transport {
 public:
  virtual ~transport() = default;

  /// Writes as much as fits without waiting, from at most IOV_MAX segments.
  virtual io_result write_some(std::span<const iovec> segments) = 0;

  /// The same, and more is written at once: the kernel need not send what is less than a packet.
  virtual io_result write_more(std::span<const iovec> segments) { return write_some(segments); }

  /// Reads at least one byte, and waits for it.
  virtual io_result read_some(codecs::bytes_span to) = 0;

  /// Reads what is there already.
  virtual io_result read_now(codecs::bytes_span to) = 0;

  /// Reads at least one byte into `to`, from its first span on, and waits for it if `waiting`. The first alone is used by a
  /// transport that has no call for more.
  virtual io_result read_scattered(std::span<const iovec> to, bool waiting) {
    const codecs::bytes_span first(static_cast<std::uint8_t*>(to[0].iov_base), to[0].iov_len);
    return waiting ? read_some(first) : read_now(first);
  }

  /// Throws away at least one and at most `size` bytes without copying them, and waits for them. TCP alone can; EFAULT from
  /// a UNIX socket, which copies whatever the flags say.
  virtual io_result discard_some(std::size_t /*size*/) { return {0, EOPNOTSUPP}; }

  /// Waits until bytes can be written, or, if `reading`, can be read. Returns which of the two.
  struct readiness {
    bool readable = false;
    bool writable = false;
    int error = 0;
  };
  virtual readiness wait(bool reading) = 0;

  /// Ends both directions: a waiting read returns. May be called from any thread while the transport lives.
  virtual void shutdown() noexcept = 0;

  /// The file descriptor, or -1 in memory. It stays the transport's.
  virtual int native_handle() const = 0;
};

/// Whether the kernel may hold small writes back (TCP_NODELAY not set). `on` also writes the head of each request apart from
/// the rest, as careless clients do: together they wait up to 40 ms for a delayed ACK (case C38).
enum class nagle { off, on };

/// A connected stream socket (TCP or UNIX), which the transport owns from here on. It is put into blocking
/// mode: calls that must not wait say so themselves.
std::unique_ptr<transport> make_socket_transport(int fd, nagle delay = nagle::off);

/// The client's end of a connection to `peer` without any system call: what is written is answered when the
/// client reads. Reading with no answer due is the end of the stream, since nobody else could produce one.
std::unique_ptr<transport> make_memory_transport(std::unique_ptr<codecs::conversation> peer);

}  // namespace wire
