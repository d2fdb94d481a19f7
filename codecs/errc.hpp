#pragma once
// Error codes, named by blame: local_* is what this side asked for and must not be sent, remote_* is what the
// other side sent or failed to send. Whoever sees remote_server_error or remote_bad_file may go on with the
// connection: the stream is in step. After any other remote_* error the stream cannot be trusted and the
// connection is closed.

#include <boost/system/error_code.hpp>

namespace codecs {

using boost::system::error_code;

enum class errc {
  ok = 0,
  local_message_too_long,     ///< the message would pass the protocol's or the peer's limit
  local_too_many_parameters,  ///< more than 65,535 parameters (a 16-bit count)
  local_bad_value,            ///< a value that the field cannot hold, such as a NUL in a cstring
  local_wrong_state,          ///< the call does not fit what the connection is doing
  local_payload,              ///< payload ran out too early or could not be kept; the text says why
  remote_truncated,           ///< a field reaches past the end of its message
  remote_trailing_bytes,      ///< bytes are left over behind the last field
  remote_bad_length,          ///< a length that no valid message has
  remote_bad_value,           ///< a field with a value that the protocol does not define
  remote_bad_checksum,        ///< CRC-32C does not match
  remote_too_deep,            ///< nesting past the documented limit
  remote_unexpected_message,  ///< a valid message that has no place here
  remote_mismatched_reply,    ///< the reply belongs to another request
  remote_unsupported,         ///< the peer asks for something that wirebench does not speak (yet)
  remote_server_error,        ///< the server answered with an error of its own; the stream is in step
  remote_bad_file,  ///< the file on the server's side is not there or damaged; the stream is in step
  remote_hang_up,   ///< the peer closed the connection in the middle
  remote_timeout,   ///< the peer did not answer in time
};

error_code make_error_code(errc code);

/// True when the connection must be closed after `code`: the position in the stream can no longer be trusted.
bool breaks_stream(errc code);

/// What went wrong and in which field. `field` is a string literal ("section size"), so a fault costs
/// nothing.
struct fault {
  errc code = errc::ok;
  const char* field = "";

  explicit operator bool() const { return code != errc::ok; }
};

}  // namespace codecs

template <>
struct boost::system::is_error_code_enum<codecs::errc> : std::true_type {};
