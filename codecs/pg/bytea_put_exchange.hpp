#pragma once
// A whole file as one row, by bytea_row::statement::put: B(key, file) E S -> 2 C Z. One message holds all of it.

#include "codecs/chunks.hpp"
#include "codecs/pg/bytea_row.hpp"
#include "codecs/pg/extended_exchange.hpp"

namespace codecs::pg {

class bytea_put_exchange final : public extended_exchange {
 public:
  using extended_exchange::extended_exchange;

  /// Writes all of `source`, which lives until the op is over, to a new row. A key that is there already is the server's error
  /// (23505).
  void set(bytea_row::key key, chunk_source& source) {
    key_ = key;
    source_ = &source;
  }

  /// The file is taken in one piece. local_message_too_long when no message holds it, local_payload when it cannot be had:
  /// nothing is sent then.
  progress start(send_buffer& out) override;

  /// A source that has changed meanwhile is local_payload, too late: the row is there, and wrong.
  progress on_frame(bytes_view frame, send_buffer& out) override;

 private:
  progress on_complete(bytes_view frame);
  progress on_end(bytes_view frame);

  bytea_row::key key_ = 0;
  chunk_source* source_ = nullptr;
};

}  // namespace codecs::pg
