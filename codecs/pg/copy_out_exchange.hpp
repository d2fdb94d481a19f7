#pragma once
// A download from the table of chunk_table.hpp by COPY TO STDOUT, in the order of the chunks:
//
//   P B E S  ->  1 2 H { d } ... c C Z
//
// COPY has no parameters, and so the statement is parsed each time. Messages need not be aligned with rows: a sink gets the pieces of
// a chunk as they come.

#include "codecs/pg/chunk_table.hpp"
#include "codecs/pg/copy.hpp"
#include "codecs/pg/file_download.hpp"

namespace codecs::pg {

class copy_out_exchange final : public file_download {
 public:
  explicit copy_out_exchange(session& session) : file_download(session, "copy") {}

  /// Reads `layout.file_bytes` bytes, which is all of `file`, into `sink`, which lives until the op is over. A row of another
  /// length, a missing row, one too many and a sink that takes no more fail the download, and why() names the chunk.
  void set(chunk_table::file_key file, chunk_sink& sink, chunk_layout layout) {
    file_ = file;
    set_sink(sink);
    layout_ = layout;
  }

  /// local_bad_value for a chunk size that no message holds.
  progress start(send_buffer& out) override;
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// The first payload of a message, from 4 KiB on, lands where the sink keeps it.
  landing land(bytes_view unread) override;

 private:
  progress on_begin(bytes_view frame);
  progress on_data(bytes_view data);
  progress on_token(copy_reader::token what);
  void on_field();
  void on_payload();
  bool find_payload(bytes_view unread, copy_reader& ahead);
  progress on_done(bytes_view frame);
  progress on_complete(bytes_view frame);
  std::string place() const override { return layout_.name(begun_); }

  chunk_table::file_key file_ = 0;
  chunk_layout layout_;

  copy_reader reader_;
  std::int64_t begun_ = 0;     // where the chunk begins whose field has come last
  std::int64_t received_ = 0;  // bytes that the sink has
  bytes_span place_;           // of payload of the message that is arriving
  std::size_t place_at_ = 0;   // in the message
};

}  // namespace codecs::pg
