#pragma once
// What a server says beside results (manual, "Error and Notice Message Fields", "Asynchronous Operations"): errors and
// notices, which are the same fields under two letters, and notifications.

#include "codecs/pg/frame.hpp"

#include <string>

namespace codecs::pg {

/// Fields of an ErrorResponse or NoticeResponse, valid as long as the frame; empty where the server sent none. Fields
/// that are not listed here are skipped, as the manual asks.
struct notice {
  std::string_view severity;  ///< `V`, which is never translated; from servers before 9.6 `S`, which may be
  std::string_view code;      ///< `C`: SQLSTATE
  std::string_view message;   ///< `M`
  std::string_view detail;    ///< `D`
  std::string_view hint;      ///< `H`

  /// The server ends the session after this error.
  bool fatal() const { return severity == "FATAL" || severity == "PANIC"; }

  /// One clause for a person: ERROR: relation "t" does not exist (42P01)
  std::string text() const;
};

/// `type` is reply::error_response or reply::notice_response.
void encode(writer& out, std::uint8_t type, const notice& message);
fault decode(bytes_view frame, notice& into);

struct notification {
  std::int32_t pid = 0;  ///< of the server process that notified
  std::string_view channel;
  std::string_view payload;
};
void encode(writer& out, const notification& message);
fault decode(bytes_view frame, notification& into);

}  // namespace codecs::pg
