#pragma once
// A whole upload to a new large object in one round trip and one implicit transaction, by the statements of
// large_object::statement:
//
//   B(create) E | { B(write, 0, chunk) E } ... | B(close, 0) E | S   ->   2 D C | { 2 D C } ... | 2 D C | Z
//
// No BEGIN and no COMMIT: all executions up to the Sync are one transaction, in which the first lo_open returns descriptor 0. So
// nothing needs to be waited for; the guess is checked when its row comes. For a given chunk size the bytes between two chunks
// are always the same 40. A server hands its replies on when 8 KiB are full, at a Flush or at the Sync; a Flush behind every
// half window bounds the bytes in flight.

#include "codecs/chunk_flight.hpp"
#include "codecs/pg/extended_exchange.hpp"
#include "codecs/pg/large_object.hpp"

#include <optional>

namespace codecs::pg {

class lo_upload_exchange final : public extended_exchange {
 public:
  using extended_exchange::extended_exchange;

  /// Writes all of `source`, which lives until the op is over, to a new object: `object`, which must be free, or for 0 one that
  /// the server chooses. At most `window_bytes` are in flight, but one chunk always.
  void set(oid object, chunk_source& source, std::size_t chunk_bytes, std::size_t window_bytes) {
    wanted_ = object;
    source_ = &source;
    chunk_bytes_ = chunk_bytes;
    window_bytes_ = window_bytes;
  }

  /// local_wrong_state in a transaction block, local_bad_value for a chunk size that no message holds.
  progress start(send_buffer& out) override;

  /// Whatever fails ends the upload: no further chunk is taken, the transaction is rolled back, the session is in step, and why()
  /// has the chunk and the server's words. What comes out after the Sync was sent is too late for the rollback: a wrong count, and
  /// a source that has changed meanwhile. Then object() is there, and wrong.
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// The object that was made, valid once the op is over; after a rollback it is gone again.
  oid object() const { return object_; }

 private:
  enum class step : std::uint8_t { create, write, close };
  step current() const;
  std::string place() const;

  progress on_row(bytes_view frame, send_buffer& out);
  progress on_created(bytes_view frame, send_buffer& out);
  progress on_complete(bytes_view frame, send_buffer& out);
  progress on_refused(bytes_view frame, send_buffer& out);
  progress on_end(bytes_view frame);

  progress fill(send_buffer& out);
  progress stop(errc code, std::string_view place, std::string_view text, send_buffer& out);
  progress finish(send_buffer& out);
  progress encode_chunk(bytes_view chunk, send_buffer& out);
  progress encode_flush(send_buffer& out);

  oid wanted_ = 0;
  chunk_source* source_ = nullptr;
  std::size_t chunk_bytes_ = 0;
  std::size_t window_bytes_ = 0;

  oid object_ = 0;
  chunk_flight flight_;
  std::size_t unflushed_ = 0;  // payload bytes behind the last Flush
  bool created_ = false;
  bool synced_ = false;  // the Sync is encoded
  std::optional<failure> stopped_;
};

}  // namespace codecs::pg
