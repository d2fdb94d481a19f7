#pragma once
// Base of the uploads by the extended protocol, each in one round trip:
//
//   [before] { chunk, chunk, .. H } { chunk, .. H } .. [after] S   ->   { 2 [answer] C } .. Z
//
// Where no transaction block is open, all executions up to the Sync are one transaction, without BEGIN and COMMIT. A server hands its
// replies on when 8 KiB are full, at a Flush or at the Sync; a Flush behind every batch, which is half of the window, bounds the bytes
// in flight.

#include "codecs/chunk_flight.hpp"
#include "codecs/pg/extended_exchange.hpp"
#include "codecs/pg/named_statement.hpp"

#include <optional>

namespace codecs::pg {

class chunk_upload : public extended_exchange {
 public:
  /// local_bad_value for a chunk size that no message holds.
  progress start(send_buffer& out) final;

  /// Whatever fails ends the upload: no further chunk is taken, what was done is rolled back, the session is in step, and why() has
  /// the chunk and the server's words. What comes out after the Sync was sent is too late for the rollback: a wrong answer, and a
  /// source that has changed meanwhile. In a transaction block the block fails, or is left to be rolled back.
  progress on_frame(bytes_view frame, send_buffer& out) final;

 protected:
  using extended_exchange::extended_exchange;

  enum class step : std::uint8_t { before, chunks, after };

  /// All of `source`, which lives until the op is over. At most `window_bytes` are in flight, but one chunk always.
  void set_upload(chunk_source& source, std::size_t chunk_bytes, std::size_t window_bytes) {
    source_ = &source;
    chunk_bytes_ = chunk_bytes;
    window_bytes_ = window_bytes;
  }

  /// What else forbids the upload.
  virtual std::optional<failure> refuse(const chunk_layout&) const { return {}; }

  // What is sent. All return the number of frames; 0 for a step that there is not.
  virtual std::uint64_t encode_before(writer&) { return 0; }
  virtual std::uint64_t encode_chunk(writer& out, std::int64_t offset, bytes_view chunk) = 0;
  virtual std::uint64_t end_batch(writer&) { return 0; }
  virtual std::uint64_t encode_after(writer&) { return 0; }
  /// What the server answers with an error.
  virtual std::uint64_t encode_undo(writer& out);

  /// A batch is one execution, and not as many as it has chunks.
  virtual bool one_execution_per_batch() const { return false; }

  /// The message between BindComplete and CommandComplete; 0: none.
  virtual std::uint8_t answer_type() const = 0;

  /// Reads it. What is wrong with it, for a person, goes into `wrong`.
  virtual fault read_answer(step of, bytes_view frame, std::string& wrong) = 0;
  virtual void read_tag(step, std::string_view /*tag*/, std::string& /*wrong*/) {}

  static std::uint64_t encode_execution(writer& out, const named_statement& what,
                                        std::span<const value> parameters);

  const chunk_flight& flight() const { return flight_; }

  /// Of the execution that is being answered.
  std::int64_t chunks_of_execution() const;

 private:
  step current() const;
  expected next_expected() const;
  std::string place() const;

  progress on_answer(bytes_view frame, send_buffer& out);
  progress on_complete(bytes_view frame, send_buffer& out);
  progress on_refused(bytes_view frame, send_buffer& out);
  progress on_end(bytes_view frame);

  bool has_room_for_batch() const;
  progress fill(send_buffer& out);
  progress encode_batch(send_buffer& out);
  progress encode_next_chunk(send_buffer& out);
  progress encode_flush(send_buffer& out);
  progress stop(errc code, std::string_view place, std::string_view text, send_buffer& out);
  progress finish(send_buffer& out);

  chunk_source* source_ = nullptr;
  std::size_t chunk_bytes_ = 0;
  std::size_t window_bytes_ = 0;

  chunk_flight flight_;
  std::int64_t batch_bytes_ = 0;  // of whole chunks
  bool before_is_over_ = false;
  bool after_is_due_ = false;  // and was sent
  bool undone_ = false;        // what makes the server roll back was sent
  bool synced_ = false;        // the Sync is encoded
  std::optional<failure> stopped_;
};

}  // namespace codecs::pg
