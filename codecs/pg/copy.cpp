#include "codecs/pg/copy.hpp"

#include <algorithm>

namespace codecs::pg {
namespace {

constexpr std::array<std::uint8_t, 11> signature = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', 0xff, '\r', '\n', 0};

// A reader that does not know one of them must give up; the lower ones may be ignored.
constexpr std::uint32_t critical_flags = 0xffff0000;

constexpr std::int16_t trailer = -1;

}  // namespace

void encode_copy_response(writer& out, std::uint8_t type, std::size_t columns) {
  const auto length = begin_message(out, type);
  out.u8(static_cast<std::uint8_t>(format::binary));
  out.be(static_cast<std::uint16_t>(columns));
  for (std::size_t i = 0; i < columns; ++i) out.be(static_cast<std::int16_t>(format::binary));
  end_message(out, length, max_small_reply);
}

fault decode(bytes_view frame, copy_response& into) {
  reader in(body_of(frame));
  const auto all = in.u8("format");
  if (all > 1) in.fail(errc::remote_bad_value, "format");
  into.all = static_cast<format>(all);
  into.columns = format_list::read(in, "column formats");
  return in.finish("CopyResponse");
}

void encode(writer& out, const copy_fail& message) {
  const auto length = begin_message(out, request::copy_fail);
  out.cstring(message.text, "reason");
  end_message(out, length, max_small_request);
}

fault decode(bytes_view frame, copy_fail& into) {
  reader in(body_of(frame));
  into.text = in.cstring("reason");
  return in.finish("CopyFail");
}

void write_copy_head(writer& out) {
  out.bytes(signature);
  out.be(std::int32_t{0});
  out.be(std::int32_t{0});
}

void encode_copy_trailer(writer& out) {
  const auto length = begin_message(out, request::copy_data);
  out.be(trailer);
  end_message(out, length, max_large_request);
}

copy_reader::token copy_reader::next(bytes_view& left) {
  while (true) {
    switch (phase_) {
      case phase::head:
        if (!gather(left, copy_head_bytes)) return token::more;
        if (!read_head()) return token::broken;
        break;
      case phase::extension: {
        const auto part = std::min(extension_left_, left.size());
        left = left.subspan(part);
        extension_left_ -= part;
        if (extension_left_ != 0) return token::more;
        phase_ = phase::count;
        break;
      }
      case phase::count:
        return gather(left, sizeof(std::int16_t)) ? read_count() : token::more;
      case phase::length:
        return gather(left, sizeof(std::int32_t)) ? read_length() : token::more;
      case phase::payload:
        return left.empty() ? token::more : take_payload(left);
      case phase::end:
        return left.empty() ? token::more : fail("bytes behind the trailer");
      case phase::broken:
        return token::broken;
    }
  }
}

std::size_t copy_reader::wanted() const {
  constexpr std::size_t length = 4;
  constexpr std::size_t count = 2;
  switch (phase_) {
    case phase::head:
      return copy_head_bytes - held_bytes_ + count + length;
    case phase::count:
      return count - held_bytes_ + length;
    case phase::length:
      return length - held_bytes_;
    default:
      return 1;
  }
}

/// Whether `size` bytes have come; then they are held.
bool copy_reader::gather(bytes_view& left, std::size_t size) {
  const auto part = left.first(std::min(size - held_bytes_, left.size()));
  std::ranges::copy(part, held_.begin() + static_cast<std::ptrdiff_t>(held_bytes_));
  left = left.subspan(part.size());
  held_bytes_ += part.size();
  if (held_bytes_ < size) return false;
  held_bytes_ = 0;
  return true;
}

copy_reader::token copy_reader::fail(const char* field) {
  phase_ = phase::broken;
  bad_ = {errc::remote_bad_value, field};
  return token::broken;
}

bool copy_reader::read_head() {
  if (!std::ranges::equal(signature, bytes_view(held_).first(signature.size()))) {
    fail("COPY signature");
    return false;
  }
  const auto flags = load_be<std::uint32_t>(held_.data() + signature.size());
  const auto extension = load_be<std::int32_t>(held_.data() + signature.size() + sizeof flags);
  if ((flags & critical_flags) != 0 || extension < 0) {
    fail("COPY head");
    return false;
  }
  extension_left_ = static_cast<std::size_t>(extension);
  phase_ = phase::extension;
  return true;
}

copy_reader::token copy_reader::read_count() {
  const auto count = load_be<std::int16_t>(held_.data());
  if (count == trailer) {
    phase_ = phase::end;
    return token::end;
  }
  if (count < 0) return fail("field count");
  columns_ = fields_left_ = static_cast<std::size_t>(count);
  phase_ = behind_field();
  return token::row;
}

copy_reader::token copy_reader::read_length() {
  size_ = load_be<std::int32_t>(held_.data());
  if (size_ < -1) return fail("field length");
  --fields_left_;
  payload_left_ = size();
  phase_ = payload_left_ == 0 ? behind_field() : phase::payload;
  return token::field;
}

copy_reader::token copy_reader::take_payload(bytes_view& left) {
  piece_ = left.first(std::min(payload_left_, left.size()));
  left = left.subspan(piece_.size());
  payload_left_ -= piece_.size();
  if (payload_left_ == 0) phase_ = behind_field();
  return token::payload;
}

}  // namespace codecs::pg
