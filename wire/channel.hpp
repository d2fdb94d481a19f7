#pragma once
// A connection with its buffers: the only place that reads or writes. A channel runs exchanges (client side),
// serves a conversation (peer side) or passes bytes through. It always reads while it writes: two sides that
// only write would wait for each other for ever once the socket buffers are full (case C29).
//
// One op in the usual case is two system calls: one gathered write, one read that brings the whole reply.
// Writes never wait (MSG_DONTWAIT); poll is called only after a write that was cut short.
//
// async_channel.hpp runs exchanges for many connections on one thread, by the same steps.
//
// Not thread-safe. After an error that breaks the stream the socket is shut down and every later call answers
// errc::local_wrong_state.

#include "codecs/exchange.hpp"

#include "wire/transport.hpp"
#include "wire/watchdog.hpp"

#include <array>
#include <climits>
#include <cstdint>
#include <memory>
#include <string>

namespace wire {

using codecs::error_code;

/// What a channel has done so far; exact.
struct channel_counters {
  std::uint64_t writes = 0;  ///< send(2), sendmsg(2) or a sender's own
  std::uint64_t reads = 0;   ///< recv(2), recvmsg(2) or a receiver's own
  std::uint64_t polls = 0;   ///< poll(2)
  std::uint64_t bytes_out = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_skipped = 0;  ///< of bytes_in, what was drained or discarded
  std::uint64_t frames_out = 0;
  std::uint64_t frames_in = 0;
  std::uint64_t turns =
      0;  ///< times that everything was sent: how often a client had no more to say, and waited

  std::uint64_t syscalls() const { return writes + reads + polls; }
};

/// What a channel that serves does with payload that its conversation does not look at (conversation::skim).
enum class receive_strategy {
  store,    ///< keeps it with all else, in one block that holds the longest request
  drain,    ///< reads it into one small block, always the same
  discard,  ///< lets the kernel drop it, unread: TCP alone can (MSG_TRUNC)
};

class receiver;
class sender;

class channel {
 public:
  /// With the default strategies: gather for sending, staged for receiving. With a `dog`, run() ends as
  /// errc::remote_timeout when the peer stays silent for the watchdog's time-out; the dog must outlive the
  /// channel.
  explicit channel(std::unique_ptr<transport> transport, watchdog* dog = nullptr);

  /// The same for a protocol whose messages may be longer than 48 MB: `most_unread` bytes are held of what has arrived.
  channel(std::unique_ptr<transport> transport, std::size_t most_unread, watchdog* dog = nullptr);

  channel(std::unique_ptr<transport> transport, std::unique_ptr<codecs::send_buffer> out,
          std::unique_ptr<codecs::receive_buffer> in, watchdog* dog);

  /// Has one op's conversation, blocking, from its first byte to its last.
  error_code run(codecs::exchange& op);

  /// Has a source send its own chunks, or, until told otherwise, a sink receive what lands in its places; null ends that.
  /// wire::transfer() does it. Not for async_channel.
  void send_by(sender* by) { sender_ = by; }
  void land_by(receiver* by) { receiver_ = by; }

  /// Between two ops: another buffer for what is received.
  void receive_into(std::unique_ptr<codecs::receive_buffer> in);

  /// From here on run() reads payload into the place that its exchange has for it (exchange::land), and not behind the frame's
  /// head. Not for async_channel.
  void receive_directly(bool on = true) { direct_ = on; }

  /// `store` until told otherwise. For serve_some() and serve().
  void receive_by(receive_strategy how);

  /// Answers what one read brings, and waits for it. End of stream and errc::remote_hang_up are the same
  /// thing here.
  error_code serve_some(codecs::conversation& peer);

  /// Serves until the other side closes, the conversation closes, or the stream breaks. The ordinary end is
  /// success.
  error_code serve(codecs::conversation& peer);

  /// For pass-through (tap) and set-up: raw bytes, one call each.
  io_result read_some(codecs::bytes_span to);
  io_result write_some(codecs::bytes_view from);

  /// The last error as one clause for a person, with the field or the server's own words; valid until the
  /// next call.
  const std::string& why() const { return why_; }

  bool usable() const { return !broken_; }
  const channel_counters& counters() const { return counters_; }

  /// Payload bytes copied in user space by the two strategies.
  std::uint64_t copied_bytes() const { return out_->copied_bytes() + in_->copied_bytes() + earlier_copied_; }

  /// The socket, or -1 in memory; it stays the channel's.
  int native_handle() const { return transport_->native_handle(); }

 private:
  friend class async_channel;

  // These answer whether to go on; if not, error_ and why_ say why.
  bool run_to_end(codecs::exchange& op);
  bool start(codecs::exchange& op);
  bool take_frames(codecs::exchange& op);
  bool answer_frames(codecs::conversation& peer);
  bool take_in(codecs::conversation& peer);
  bool skip(std::size_t size);
  bool flush(codecs::exchange* op);
  bool take_early_frames(codecs::exchange& op);
  bool read_for(codecs::exchange& op, bool waiting);
  bool read_once(bool waiting, std::size_t most = SIZE_MAX);
  bool read_to(const codecs::landing& wanted, bool waiting);
  codecs::bytes_span room_to_read();
  bool received(io_result got);
  bool fail(codecs::fault cause);
  bool fail(const codecs::failure& failure);
  bool fail_system(int error);
  bool close(error_code code);
  error_code finish(codecs::exchange& op, bool good);

  // These answer with an errno value, or 0.
  int send_now();
  int write_once();
  int write_once_by_sender();
  int written(io_result moved);
  std::span<const iovec> unsent();

  std::unique_ptr<wire::transport> transport_;
  std::unique_ptr<codecs::send_buffer> out_;
  std::unique_ptr<codecs::receive_buffer> in_;
  watchdog::handle watch_;
  receive_strategy receive_ = receive_strategy::store;
  bool direct_ = false;
  sender* sender_ = nullptr;
  receiver* receiver_ = nullptr;
  std::uint64_t earlier_copied_ = 0;  // by receive buffers that were replaced
  std::unique_ptr<std::uint8_t[]> drain_;
  std::array<iovec, IOV_MAX> segments_;  // of one write
  bool half_sent_ = false;               // what out_ held: some of it is on the wire, some is not
  std::size_t need_ = 1;                 // bytes that the next frame lacks at least
  codecs::progress state_ = codecs::progress::done;
  channel_counters counters_;
  error_code error_;
  std::string why_;
  bool broken_ = false;
};

}  // namespace wire
