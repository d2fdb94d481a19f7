#pragma once
// A whole upload to a new large object in one round trip and one implicit transaction, by the statements of
// large_object::statement:
//
//   B(create) E | { B(write, 0, chunk) E } ... | B(close, 0) E | S   ->   2 D C | { 2 D C } ... | 2 D C | Z
//
// The first lo_open of a transaction returns descriptor 0. So nothing needs to be waited for; the guess is checked when its row
// comes. For a given chunk size the bytes between two chunks are always the same 40. See chunk_upload.hpp.

#include "codecs/pg/chunk_upload.hpp"
#include "codecs/pg/large_object.hpp"

namespace codecs::pg {

class lo_upload_exchange final : public chunk_upload {
 public:
  using chunk_upload::chunk_upload;

  /// Writes all of `source` to a new object: `object`, which must be free, or for 0 one that the server chooses. In a transaction
  /// block it is local_wrong_state.
  void set(oid object, chunk_source& source, std::size_t chunk_bytes, std::size_t window_bytes) {
    wanted_ = object;
    set_upload(source, chunk_bytes, window_bytes);
  }

  /// The object that was made, valid once the op is over; after a rollback it is gone again.
  oid object() const { return object_; }

 private:
  std::optional<failure> refuse(const chunk_layout& layout) const override;
  std::uint64_t encode_before(writer& out) override;
  std::uint64_t encode_chunk(writer& out, std::int64_t offset, bytes_view chunk) override;
  std::uint64_t encode_after(writer& out) override;

  std::uint8_t answer_type() const override { return reply::data_row; }
  fault read_answer(step of, bytes_view frame, std::string& wrong) override;
  fault read_created(bytes_view frame, std::string& wrong);

  oid wanted_ = 0;
  oid object_ = 0;
};

}  // namespace codecs::pg
