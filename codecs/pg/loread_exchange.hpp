#pragma once
// A download from an open large object, by FunctionCalls of loread, perhaps several of them in flight:
//
//   { F(loread) } up to the depth  ->  { (V | E) Z } ..., and each Z lets the next F go

#include "codecs/chunk_layout.hpp"
#include "codecs/chunks.hpp"
#include "codecs/pg/large_object.hpp"
#include "codecs/pg/session.hpp"

#include <optional>

namespace codecs::pg {

class loread_exchange final : public session_exchange {
 public:
  using session_exchange::session_exchange;

  /// Reads `file_bytes` bytes from the position on that `descriptor` has, chunk by chunk into `sink`, which lives until the op is
  /// over. At most `depth` (from 1) calls are in flight.
  void set(std::int32_t descriptor, chunk_sink& sink, chunk_layout layout, std::size_t depth = 1) {
    descriptor_ = descriptor;
    sink_ = &sink;
    layout_ = layout;
    depth_ = depth;
  }

  /// local_wrong_state outside a transaction block (case C26), local_bad_value for a chunk size that no message holds.
  progress start(send_buffer& out) override;

  /// The first call that fails, a chunk of the wrong length and a sink that takes no more end the download: nothing more is asked
  /// for, calls in flight are awaited, the sink gets no byte of that chunk nor of one behind it, why() names it.
  progress on_frame(bytes_view frame, send_buffer& out) override;

 private:
  void begin_call();
  progress on_response(bytes_view frame);
  progress on_call_end(bytes_view frame, send_buffer& out);
  progress go_on(send_buffer& out);
  void stop(errc code, std::string_view text);

  std::int32_t descriptor_ = 0;
  chunk_sink* sink_ = nullptr;
  chunk_layout layout_;
  std::size_t depth_ = 1;

  std::int64_t asked_ = 0;     // bytes
  std::int64_t received_ = 0;  // bytes, of calls that are over
  std::size_t calls_ = 0;      // in flight
  bool answered_ = false;
  std::optional<failure> stopped_;
};

}  // namespace codecs::pg
