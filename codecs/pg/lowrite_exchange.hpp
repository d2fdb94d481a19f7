#pragma once
// A whole upload to an open large object, by FunctionCalls of lowrite, several of them in flight:
//
//   { F(lowrite) } up to the window  ->  { (V | E) Z } ..., and each Z lets the next F go
//
// The manual says that the next call may be sent when Z has come; several in flight work because a server reads one message
// at a time, and each has its own Z, after an error too.

#include "codecs/chunk_flight.hpp"
#include "codecs/pg/large_object.hpp"
#include "codecs/pg/session.hpp"

#include <optional>

namespace codecs::pg {

class lowrite_exchange final : public session_exchange {
 public:
  using session_exchange::session_exchange;

  /// Writes all of `source`, which lives until the op is over, from the position on that `descriptor` has. At most `depth`
  /// (from 1) calls are in flight.
  void set(std::int32_t descriptor, chunk_source& source, std::size_t chunk_bytes, std::size_t depth) {
    descriptor_ = descriptor;
    source_ = &source;
    chunk_bytes_ = chunk_bytes;
    depth_ = depth;
  }

  /// local_wrong_state outside a transaction block (case C26), local_bad_value for a chunk size that no message holds.
  progress start(send_buffer& out) override;

  /// The first call that fails ends the upload: no further chunk is taken, calls in flight are awaited, why() has the chunk and
  /// the server's words.
  progress on_frame(bytes_view frame, send_buffer& out) override;

 private:
  void begin_call();
  progress on_response(bytes_view frame);
  progress on_call_end(bytes_view frame, send_buffer& out);
  progress go_on(send_buffer& out);
  progress encode_call(bytes_view chunk, send_buffer& out);
  void stop(errc code, std::int64_t chunk, std::string_view text);

  std::int32_t descriptor_ = 0;
  chunk_source* source_ = nullptr;
  std::size_t chunk_bytes_ = 0;
  std::size_t depth_ = 1;
  chunk_flight flight_;
  bool answered_ = false;
  std::optional<failure> stopped_;
};

}  // namespace codecs::pg
