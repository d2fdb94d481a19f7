#pragma once
// Base of the downloads by one query that has one row for each chunk. See row_download.hpp.

#include "codecs/chunk_layout.hpp"
#include "codecs/pg/row_download.hpp"

namespace codecs::pg {

class chunk_download : public row_download {
 public:
  /// local_bad_value for a chunk size that no message holds.
  progress start(send_buffer& out) final;

 protected:
  using row_download::row_download;

  /// The first `layout.file_bytes` bytes of a file go into `sink`, which lives until the op is over. A row of the wrong length, a
  /// missing row, one too many and a sink that takes no more fail the download, and why() names the chunk. The sink gets no byte
  /// of it nor of one behind it.
  void set_download(chunk_sink& sink, chunk_layout layout) {
    set_sink(sink);
    layout_ = layout;
  }

  /// Asks for the rows, by begin_download().
  virtual progress ask(send_buffer& out) = 0;

  const chunk_layout& layout() const { return layout_; }

 private:
  std::size_t expected_size() const final { return layout_.size_at(received_); }
  void on_value(const value& what) final;
  void on_last_row() final;
  std::string place() const final { return layout_.name(received_); }

  chunk_layout layout_;
  std::int64_t received_ = 0;  // bytes that the sink has
};

}  // namespace codecs::pg
