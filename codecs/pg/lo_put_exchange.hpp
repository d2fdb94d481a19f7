#pragma once
// An upload into a large object that is there, by large_object::statement::put: each chunk goes to an offset of its own, and so
// needs no descriptor, and the server opens and closes the object for every one. See chunk_upload.hpp.
//
//   { B(put, object, offset, chunk) E } ... S   ->   { 2 D C } ... Z

#include "codecs/pg/chunk_upload.hpp"
#include "codecs/pg/large_object.hpp"

namespace codecs::pg {

class lo_put_exchange final : public chunk_upload {
 public:
  using chunk_upload::chunk_upload;

  /// Writes all of `source` to `object` from `offset` (bytes, from 0) on. What is there already is overwritten.
  void set(oid object, std::int64_t offset, chunk_source& source, std::size_t chunk_bytes,
           std::size_t window_bytes) {
    object_ = object;
    offset_ = offset;
    set_upload(source, chunk_bytes, window_bytes);
  }

 private:
  std::uint64_t encode_chunk(writer& out, std::int64_t offset, bytes_view chunk) override;
  std::uint8_t answer_type() const override { return reply::data_row; }
  fault read_answer(step of, bytes_view frame, std::string& wrong) override;

  oid object_ = 0;
  std::int64_t offset_ = 0;
};

}  // namespace codecs::pg
