#pragma once
// Cutting a PostgreSQL stream into frames (protocol 3, manual chapter "Message Formats"). A typed message is one
// byte of type, an int32 length that counts itself but not the type, and a body. What a client sends before the
// server has answered, the startup family, has no type byte. Integers are big-endian.
//
// The letters C D E H S d c mean different messages in the two directions, so whoever cuts or decodes says which
// way the bytes travel.

#include "codecs/frame.hpp"
#include "codecs/reader.hpp"
#include "codecs/trace.hpp"
#include "codecs/writer.hpp"

namespace codecs::pg {

/// Type and length.
inline constexpr std::size_t head_bytes = 5;

// Lengths, as the length field counts. Above its bound the server drops the connection without a word
// (pq_getmessage), so a client must not send it.
inline constexpr std::uint32_t max_startup_length = 10'000;
inline constexpr std::uint32_t max_small_request = 10'000;      ///< server, any type but Q F B P d
inline constexpr std::uint32_t max_large_request = 0x3ffffffe;  ///< PQ_LARGE_MESSAGE_LIMIT
inline constexpr std::uint32_t max_small_reply = 30'000;        ///< libpq, any type but d D E V N A T
/// 65,535 type OIDs. libpq stops at 30,000 and so cannot describe a statement of more than 7,498 parameters, which
/// servers do answer (case C22).
inline constexpr std::uint32_t max_parameter_description = 4 + 2 + 4 * 65'535;
/// A server builds a message in one StringInfo of at most 0x3ffffffe bytes (MaxAllocSize less the final NUL).
inline constexpr std::uint32_t max_large_reply = 0x3ffffffe + 4;

/// What a client sends.
namespace request {
inline constexpr std::uint8_t password = 'p';  ///< also the SASL and GSS responses: the last `R` decides
inline constexpr std::uint8_t query = 'Q';
inline constexpr std::uint8_t parse = 'P';
inline constexpr std::uint8_t bind = 'B';
inline constexpr std::uint8_t describe = 'D';
inline constexpr std::uint8_t execute = 'E';
inline constexpr std::uint8_t close = 'C';
inline constexpr std::uint8_t flush = 'H';
inline constexpr std::uint8_t sync = 'S';
inline constexpr std::uint8_t function_call = 'F';
inline constexpr std::uint8_t copy_data = 'd';
inline constexpr std::uint8_t copy_done = 'c';
inline constexpr std::uint8_t copy_fail = 'f';
inline constexpr std::uint8_t terminate = 'X';
}  // namespace request

/// What a server sends.
namespace reply {
inline constexpr std::uint8_t authentication = 'R';
inline constexpr std::uint8_t negotiate_protocol_version = 'v';
inline constexpr std::uint8_t backend_key_data = 'K';
inline constexpr std::uint8_t parameter_status = 'S';
inline constexpr std::uint8_t ready_for_query = 'Z';
inline constexpr std::uint8_t error_response = 'E';
inline constexpr std::uint8_t notice_response = 'N';
inline constexpr std::uint8_t notification_response = 'A';
inline constexpr std::uint8_t parse_complete = '1';
inline constexpr std::uint8_t bind_complete = '2';
inline constexpr std::uint8_t close_complete = '3';
inline constexpr std::uint8_t parameter_description = 't';
inline constexpr std::uint8_t no_data = 'n';
inline constexpr std::uint8_t row_description = 'T';
inline constexpr std::uint8_t data_row = 'D';
inline constexpr std::uint8_t command_complete = 'C';
inline constexpr std::uint8_t empty_query_response = 'I';
inline constexpr std::uint8_t portal_suspended = 's';
inline constexpr std::uint8_t function_call_response = 'V';
inline constexpr std::uint8_t copy_in_response = 'G';
inline constexpr std::uint8_t copy_out_response = 'H';
inline constexpr std::uint8_t copy_both_response = 'W';
inline constexpr std::uint8_t copy_data = 'd';
inline constexpr std::uint8_t copy_done = 'c';
}  // namespace reply

/// Whether a message of that type may have that length, which is outside 4 to 10,000.
bool is_possible(std::uint32_t length, std::uint8_t type, direction way);

/// Cuts a typed message. The length is checked by type on the five bytes of the head alone (case S11). Inline, as it is
/// called for every message of every op.
inline scan_result scan_typed(bytes_view unread, direction way) {
  if (unread.size() < head_bytes) return scan_result::more(head_bytes - unread.size());
  const auto length = load_be<std::uint32_t>(unread.data() + 1);
  const bool usual = length >= 4 && length <= max_small_request;
  if (!usual && !is_possible(length, unread[0], way)) {
    return scan_result::broken(errc::remote_bad_length, "message length");
  }
  return scan_result::of(std::size_t{length} + 1, unread.size());
}

/// Cuts a message of the startup family: length, code, body.
scan_result scan_startup(bytes_view unread);

/// The body of a frame that scan_typed() has cut.
inline bytes_view body_of(bytes_view frame) {
  return frame.subspan(head_bytes);
}

/// The size of the first of `messages`, which are whole.
inline std::size_t first_size(bytes_view messages) {
  return std::size_t{1} + load_be<std::uint32_t>(messages.data() + 1);
}

inline writer::mark begin_message(writer& out, std::uint8_t type) {
  out.u8(type);
  return out.begin_length();
}

/// Fills in the length; a message that the receiver would refuse is local_message_too_long.
void end_message(writer& out, writer::mark length, std::uint32_t longest);

/// A message without a body: Flush, Sync, Terminate, ParseComplete, ...
inline void encode_bare(writer& out, std::uint8_t type) {
  out.u8(type);
  out.be(std::int32_t{4});
}
fault decode_bare(bytes_view frame);

}  // namespace codecs::pg
