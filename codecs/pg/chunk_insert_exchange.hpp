#pragma once
// An upload into the table of chunk_table.hpp, one INSERT for each chunk. See chunk_upload.hpp.
//
//   { B(insert, file, n, chunk) E } ... S   ->   { 2 C } ... Z

#include "codecs/pg/chunk_table.hpp"
#include "codecs/pg/chunk_upload.hpp"

namespace codecs::pg {

class chunk_insert_exchange final : public chunk_upload {
 public:
  using chunk_upload::chunk_upload;

  /// Writes all of `source` to rows of `file`, of which there must be none: else it is the server's error (23505). More chunks than
  /// an int4 counts are local_bad_value.
  void set(chunk_table::file_key file, chunk_source& source, std::size_t chunk_bytes,
           std::size_t window_bytes) {
    file_ = file;
    set_upload(source, chunk_bytes, window_bytes);
  }

 private:
  std::optional<failure> refuse(const chunk_layout& layout) const override {
    return chunk_table::refuse(layout);
  }
  std::uint64_t encode_chunk(writer& out, std::int64_t offset, bytes_view chunk) override;
  std::uint8_t answer_type() const override { return 0; }
  fault read_answer(step, bytes_view, std::string&) override { return {}; }
  void read_tag(step of, std::string_view tag, std::string& wrong) override;

  chunk_table::file_key file_ = 0;
};

}  // namespace codecs::pg
