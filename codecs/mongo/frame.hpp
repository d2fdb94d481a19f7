#pragma once
// The header that starts every message, and cutting a stream by it. All integers are little-endian
// (MsgHeader in the wire protocol manual).

#include "codecs/frame.hpp"
#include "codecs/reader.hpp"
#include "codecs/writer.hpp"

namespace codecs::mongo {

inline constexpr std::size_t header_bytes = 16;

/// Both the smallest messageLength and the largest are checked before any byte of the body is waited for. A
/// server may announce another maxMessageSizeBytes for what it takes; what we take is bounded by this.
inline constexpr std::int32_t max_message_bytes = 48'000'000;

enum class op_code : std::int32_t {
  reply = 1,
  query = 2004,
  compressed = 2012,
  msg = 2013,
};

struct message_header {
  std::int32_t length = 0;       ///< of the whole message, header and checksum included
  std::int32_t request_id = 0;   ///< opaque: compared for equality only
  std::int32_t response_to = 0;  ///< 0 in requests
  op_code op = op_code::msg;
};

/// Four bytes are enough to refuse a messageLength ("messageLength", "messageLength is over 48,000,000").
scan_result scan(bytes_view unread);

/// The header of a frame that scan() has cut, which has at least 16 bytes; any opcode.
message_header peek_header(bytes_view frame);

/// Reads the header and fails `in` when messageLength is not the size of the frame ("messageLength") or the
/// opcode is another ("opCode").
message_header read_header(reader& in, op_code expected);

/// Writes a header. Its length is known beforehand: every encoder here can tell the size of its message.
inline void write_header(writer& out, const message_header& header) {
  std::uint8_t bytes[header_bytes];  // one bounds check for four fields
  store_le(bytes, header.length);
  store_le(bytes + 4, header.request_id);
  store_le(bytes + 8, header.response_to);
  store_le(bytes + 12, static_cast<std::int32_t>(header.op));
  out.bytes(bytes);
}

/// Numbers the requests of one connection; its exchanges share it. The counter wraps, as the protocol allows.
class request_ids {
 public:
  std::int32_t next() { return static_cast<std::int32_t>(++last_); }

 private:
  std::uint32_t last_ = 0;
};

}  // namespace codecs::mongo
