#pragma once
// A download from the table of chunk_table.hpp, by one query in the order of the chunks. See chunk_download.hpp.

#include "codecs/pg/chunk_download.hpp"
#include "codecs/pg/chunk_table.hpp"

namespace codecs::pg {

class chunk_select_exchange final : public chunk_download {
 public:
  explicit chunk_select_exchange(session& session) : chunk_download(session, "chunks") {}

  /// Reads `layout.file_bytes` bytes, which is all of `file`, into `sink`, as set_download() says.
  void set(chunk_table::file_key file, chunk_sink& sink, chunk_layout layout) {
    file_ = file;
    set_download(sink, layout);
  }

 private:
  progress ask(send_buffer& out) override;

  chunk_table::file_key file_ = 0;
};

}  // namespace codecs::pg
