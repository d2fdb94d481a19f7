#include "codecs/reader.hpp"

namespace codecs {

std::string_view reader::cstring(const char* field) {
  if (left() == 0) {
    fail(errc::remote_truncated, field);
    return {};
  }
  const void* nul = std::memchr(next_, 0, left());
  if (nul == nullptr) {
    fail(errc::remote_truncated, field);
    return {};
  }
  const auto* begin = next_;
  next_ = static_cast<const std::uint8_t*>(nul) + 1;
  return as_text({begin, next_ - 1});
}

void reader::fail(errc code, const char* field) {
  if (fault_) return;
  fault_ = {code, field};
  next_ = end_;
}

}  // namespace codecs
