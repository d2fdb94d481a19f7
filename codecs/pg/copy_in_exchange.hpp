#pragma once
// An upload into the table of chunk_table.hpp by COPY FROM STDIN. See chunk_upload.hpp.
//
//   { B(copy) E | d(head, chunk) d(chunk) .. d(trailer) c | H } ... S   ->   { 2 G C } ... Z
//
// A server acknowledges nothing before the end of a COPY. So there is one COPY for each half of the window, all of them in one
// transaction, and the bytes in flight are bounded by what the server has taken and not by what the kernel has; in a window of twice
// the file, or more, it is a single one. Its data are sent without waiting for CopyInResponse: where there is none, the server skips
// them up to the Sync. In the middle of a COPY it takes no Sync and no Flush, and there is none.

#include "codecs/pg/chunk_table.hpp"
#include "codecs/pg/chunk_upload.hpp"

namespace codecs::pg {

class copy_in_exchange final : public chunk_upload {
 public:
  using chunk_upload::chunk_upload;

  /// As chunk_insert_exchange. An error of the server's is told with the first chunk of its COPY.
  void set(chunk_table::file_key file, chunk_source& source, std::size_t chunk_bytes,
           std::size_t window_bytes) {
    file_ = file;
    set_upload(source, chunk_bytes, window_bytes);
  }

 private:
  std::optional<failure> refuse(const chunk_layout& layout) const override {
    return chunk_table::refuse(layout);
  }
  std::uint64_t encode_before(writer& out) override;
  std::uint64_t encode_chunk(writer& out, std::int64_t offset, bytes_view chunk) override;
  std::uint64_t end_batch(writer& out) override;
  std::uint64_t encode_undo(writer& out) override;

  bool one_execution_per_batch() const override { return true; }
  std::uint8_t answer_type() const override { return reply::copy_in_response; }
  fault read_answer(step of, bytes_view frame, std::string& wrong) override;
  void read_tag(step of, std::string_view tag, std::string& wrong) override;

  chunk_table::file_key file_ = 0;
  bool copying_ = false;  // a COPY is encoded, and its end is not
};

}  // namespace codecs::pg
