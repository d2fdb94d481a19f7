#pragma once
// The only bounds-checked cursor. A decoder reads field after field and asks once, at the end, whether all
// went well: the first failure sticks, names its field, and every later read yields zero or an empty view.
// Nothing is ever read past the end, nothing is allocated, nothing throws.

#include "codecs/bytes.hpp"
#include "codecs/errc.hpp"

#include <utility>

namespace codecs {

class reader {
 public:
  /// Reads from `data`, which the caller keeps alive; the views that the reader hands out point into it.
  explicit reader(bytes_view data) : next_(data.data()), end_(data.data() + data.size()) {}

  std::uint8_t u8(const char* field) { return take(1, field) ? next_[-1] : 0; }

  template <typename Integer>
  Integer le(const char* field) {
    return take(sizeof(Integer), field) ? load_le<Integer>(next_ - sizeof(Integer)) : Integer{};
  }

  template <typename Integer>
  Integer be(const char* field) {
    return take(sizeof(Integer), field) ? load_be<Integer>(next_ - sizeof(Integer)) : Integer{};
  }

  /// The next `size` bytes.
  bytes_view bytes(std::size_t size, const char* field) {
    return take(size, field) ? bytes_view{next_ - size, size} : bytes_view{};
  }

  /// Text up to a NUL, which is consumed and not part of the view. A missing NUL is remote_truncated.
  std::string_view cstring(const char* field) {
    const void* nul = left() == 0 ? nullptr : std::memchr(next_, 0, left());
    if (nul == nullptr) {
      fail(errc::remote_truncated, field);
      return {};
    }
    const auto* begin = std::exchange(next_, static_cast<const std::uint8_t*>(nul) + 1);
    return as_text({begin, next_ - 1});
  }

  /// Everything that is left, which may be nothing.
  bytes_view rest() { return bytes(left(), ""); }

  std::size_t left() const { return static_cast<std::size_t>(end_ - next_); }

  /// Records a failure that the decoder found itself; an earlier failure stays.
  void fail(errc code, const char* field);

  /// Ends the message: bytes left over are remote_trailing_bytes. Returns the first failure, if any.
  fault finish(const char* message) {
    if (!fault_ && left() != 0) fail(errc::remote_trailing_bytes, message);
    return fault_;
  }

  bool failed() const { return static_cast<bool>(fault_); }
  const fault& first_fault() const { return fault_; }

 private:
  bool take(std::size_t size, const char* field) {
    if (size > left()) {
      fail(errc::remote_truncated, field);
      return false;
    }
    next_ += size;
    return true;
  }

  const std::uint8_t* next_;
  const std::uint8_t* end_;
  fault fault_;
};

}  // namespace codecs
