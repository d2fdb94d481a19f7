#pragma once
// A whole download by one query, large_object::statement::get: one row for each chunk, streamed as fast as they are taken.
//
//   B(get) E S  ->  2 { D } ... C Z
//
// No transaction block is needed, since lo_get opens and closes the object for every row; all rows are of one snapshot. Eleven
// bytes stand before each payload.

#include "codecs/chunk_layout.hpp"
#include "codecs/chunks.hpp"
#include "codecs/pg/extended_exchange.hpp"
#include "codecs/pg/large_object.hpp"

#include <optional>

namespace codecs::pg {

class lo_get_exchange final : public extended_exchange {
 public:
  using extended_exchange::extended_exchange;

  /// Reads the first `layout.file_bytes` bytes of `object` into `sink`, which lives until the op is over.
  void set(oid object, chunk_sink& sink, chunk_layout layout) {
    object_ = object;
    sink_ = &sink;
    layout_ = layout;
  }

  /// local_bad_value for a chunk size that no message holds.
  progress start(send_buffer& out) override;

  /// A row of the wrong length, a missing row and a sink that takes no more fail the download, and why() names the chunk. The sink
  /// gets no byte of it nor of one behind it; rows that are on their way are read and dropped, since nothing but the end of the
  /// connection stops them.
  progress on_frame(bytes_view frame, send_buffer& out) override;

 private:
  progress on_row(bytes_view frame);
  progress on_complete(bytes_view frame);
  progress on_refused(bytes_view frame);
  progress on_end(bytes_view frame);
  void stop(errc code, std::string_view text);

  oid object_ = 0;
  chunk_sink* sink_ = nullptr;
  chunk_layout layout_;

  std::int64_t received_ = 0;  // bytes that the sink has
  std::optional<failure> stopped_;
};

}  // namespace codecs::pg
