#pragma once
// The encoder's cursor. It remembers the first error, so that a message is written field after field and
// checked once, by finish(). Lengths that become known later are back-patched:
//
//   writer out(buffer);
//   auto length = out.begin_be();      // room for an int32
//   out.cstring(query, "query");
//   out.end_be(length);                // counts itself and everything since, borrowed payload included
//   return out.finish();

#include "codecs/buffers.hpp"
#include "codecs/errc.hpp"

namespace codecs {

class writer {
 public:
  /// Appends to `out`, which must outlive the writer. One writer at a time may be at work on a buffer.
  explicit writer(send_buffer& out)
      : out_(out), encoded_(out.encoded_size()), borrowed_(out.size() - out.encoded_size()) {}
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;

  void u8(std::uint8_t value) {
    if (auto* at = room(1)) *at = value;
  }

  template <typename Integer>
  void le(Integer value) {
    if (auto* at = room(sizeof value)) store_le(at, value);
  }

  template <typename Integer>
  void be(Integer value) {
    if (auto* at = room(sizeof value)) store_be(at, value);
  }

  /// Copies `data` into the message.
  void bytes(bytes_view data) {
    if (data.empty()) return;
    if (auto* at = room(data.size())) std::memcpy(at, data.data(), data.size());
  }

  /// Text and a NUL. Text that holds a NUL is local_bad_value, since the peer would see two fields.
  void cstring(std::string_view text, const char* field);

  /// Appends payload that the caller keeps alive until the buffer is cleared; it is not copied by the writer.
  void refer(bytes_view payload);

  /// A length field to be filled in later.
  struct mark {
    std::size_t index;  // of the field, in encoded bytes
    std::size_t start;  // of the field, in all bytes
  };
  mark begin_length() {
    const mark here{encoded_ + used_, size()};
    le(std::int32_t{0});
    return here;
  }

  /// Fills the length field with the bytes from the field's start to here, itself included, plus `extra`.
  void end_le(mark length, std::int32_t extra = 0) { patch(length, extra, false); }
  void end_be(mark length, std::int32_t extra = 0) { patch(length, extra, true); }

  /// Bytes in the buffer so far, borrowed payload included.
  std::size_t size() const { return encoded_ + borrowed_ + used_; }

  void fail(errc code, const char* field);

  /// Commits what was written and returns the first error.
  fault finish() {
    commit();
    return fault_;
  }

 private:
  std::uint8_t* room(std::size_t size) {
    if (size > window_.size() - used_ && !grow(size)) return nullptr;
    auto* at = window_.data() + used_;
    used_ += size;
    return at;
  }

  bool grow(std::size_t size);
  void commit();
  void patch(mark length, std::int32_t extra, bool big_endian);

  send_buffer& out_;
  std::size_t encoded_;   // committed encoded bytes, up to where the window begins
  std::size_t borrowed_;  // borrowed bytes
  bytes_span window_;
  std::size_t used_ = 0;  // of the window
  fault fault_;
};

}  // namespace codecs
