#include "codecs/writer.hpp"

#include <algorithm>
#include <limits>

namespace codecs {

// Small fields come in runs: a window of this size is asked for at once, so that the virtual calls are made
// per message and not per field.
constexpr std::size_t window_bytes = 256;

bool writer::grow(std::size_t size) {
  if (fault_) return false;
  commit();
  window_ = out_.prepare(std::max(size, window_bytes));
  if (window_.empty()) {
    fail(errc::local_message_too_long, "message");
    return false;
  }
  return true;
}

void writer::commit() {
  if (used_ == 0) return;
  out_.commit(used_);
  window_ = window_.subspan(used_);
  encoded_ += used_;
  used_ = 0;
}

void writer::cstring(std::string_view text, const char* field) {
  if (text.find('\0') != std::string_view::npos) return fail(errc::local_bad_value, field);
  auto* at = room(text.size() + 1);
  if (at == nullptr) return;
  if (!text.empty()) std::memcpy(at, text.data(), text.size());  // an empty view may be null
  at[text.size()] = 0;
}

void writer::refer(bytes_view payload) {
  if (fault_ || payload.empty()) return;
  commit();
  window_ = {};
  if (!out_.refer(payload)) return fail(errc::local_message_too_long, "payload");
  encoded_ = out_.encoded_size();  // a strategy may have copied it
  borrowed_ = out_.size() - encoded_;
}

void writer::patch(mark length, std::int32_t extra, bool big_endian) {
  if (fault_) return;
  const auto value = static_cast<std::int64_t>(size() - length.start) + extra;
  if (value > std::numeric_limits<std::int32_t>::max()) return fail(errc::local_message_too_long, "length");
  auto* at =
      length.index >= encoded_ ? window_.data() + (length.index - encoded_) : out_.encoded(length.index);
  const auto narrow = static_cast<std::int32_t>(value);
  big_endian ? store_be(at, narrow) : store_le(at, narrow);
}

void writer::fail(errc code, const char* field) {
  if (!fault_) fault_ = {code, field};
}

}  // namespace codecs
