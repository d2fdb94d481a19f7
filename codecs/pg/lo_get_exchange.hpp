#pragma once
// A whole download by one query, large_object::statement::get: one row for each chunk. See chunk_download.hpp.
//
// No transaction block is needed, since lo_get opens and closes the object for every row. Eleven bytes stand before each payload.

#include "codecs/pg/chunk_download.hpp"
#include "codecs/pg/large_object.hpp"

namespace codecs::pg {

class lo_get_exchange final : public chunk_download {
 public:
  explicit lo_get_exchange(session& session) : chunk_download(session, "lo_get") {}

  /// Reads the first `layout.file_bytes` bytes of `object` into `sink`, as set_download() says.
  void set(oid object, chunk_sink& sink, chunk_layout layout) {
    object_ = object;
    set_download(sink, layout);
  }

 private:
  progress ask(send_buffer& out) override;

  oid object_ = 0;
};

}  // namespace codecs::pg
