#include "codecs/mongo/frame.hpp"

namespace codecs::mongo {

scan_result scan(bytes_view unread) {
  constexpr std::size_t length_bytes = sizeof(std::int32_t);
  if (unread.size() < length_bytes) return scan_result::more(header_bytes - unread.size());
  const auto length = load_le<std::int32_t>(unread.data());
  if (length < static_cast<std::int32_t>(header_bytes))
    return scan_result::broken(errc::remote_bad_length, "messageLength");
  if (length > max_message_bytes)
    return scan_result::broken(errc::remote_bad_length, "messageLength is over 48,000,000");
  return scan_result::of(static_cast<std::size_t>(length), unread.size());
}

message_header peek_header(bytes_view frame) {
  return {load_le<std::int32_t>(frame.data()), load_le<std::int32_t>(frame.data() + 4),
          load_le<std::int32_t>(frame.data() + 8), load_le<op_code>(frame.data() + 12)};
}

message_header read_header(reader& in, op_code expected) {
  const auto frame_bytes = in.left();
  const bytes_view raw = in.bytes(header_bytes, "header");
  if (in.failed()) return {};
  const auto header = peek_header(raw);
  if (static_cast<std::uint32_t>(header.length) != frame_bytes)
    in.fail(errc::remote_bad_length, "messageLength");
  if (header.op != expected) in.fail(errc::remote_unexpected_message, "opCode");
  return header;
}

}  // namespace codecs::mongo
