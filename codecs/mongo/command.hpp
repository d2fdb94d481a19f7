#pragma once
// A command and its reply. Every reply is read in one pass into the fields that any command may have, because
// failure has three places (specification read-write-concern): `ok` is not 1; `writeErrors` beside ok:1;
// `writeConcernError` beside either. None of them is a success (case C09).

#include "codecs/exchange.hpp"
#include "codecs/mongo/op_msg.hpp"

namespace codecs::mongo {

/// An error as servers write it: the fields of an ok:0 reply, of one of writeErrors, or of writeConcernError.
/// The text may be cut inside a UTF-8 character.
struct server_error {
  std::int64_t code = 0;
  std::string_view name;  ///< codeName, "DuplicateKey"; often absent
  std::string_view message;
};

/// Codes that wirebench acts on or answers.
namespace code {
inline constexpr std::int32_t bad_value = 2;
inline constexpr std::int32_t failed_to_parse = 9;
inline constexpr std::int32_t invalid_bson = 22;
inline constexpr std::int32_t namespace_not_found = 26;
inline constexpr std::int32_t cursor_not_found = 43;
inline constexpr std::int32_t command_not_found = 59;
}  // namespace code

/// A decoded reply; views into the frame.
struct command_reply {
  bytes_view body;
  bool ok = false;
  std::optional<std::int64_t> n;
  server_error error;  ///< of an ok:0 reply
  bytes_view cursor;
  bytes_view write_errors;  ///< an array of documents; empty when absent
  bytes_view write_concern_error;
};

/// Reads a reply's top level. `ok` and `n` may be of any numeric type; an absent `ok` is remote_bad_value.
fault decode(bytes_view body, command_reply& reply);

/// Reads code, codeName and errmsg of an error document.
server_error read_error(bytes_view document);

/// Base of the exchanges of commands: each command has one reply, to which responseTo leads.
class request_exchange : public exchange {
 public:
  scan_result scan(bytes_view unread) const final { return mongo::scan(unread); }

  /// The server's own code after remote_server_error (59 CommandNotFound, 13 Unauthorized, ...), else 0.
  std::int64_t server_code() const { return server_code_; }

  /// The last reply; valid until the channel reads again.
  const command_reply& reply() const { return reply_; }

 protected:
  /// `ids` are those of the connection and outlive the exchange.
  explicit request_exchange(request_ids& ids) : ids_(ids) {}

  /// The id of the next request, whose reply take() then expects.
  std::int32_t next_id() {
    server_code_ = 0;
    return awaited_ = ids_.next();
  }

  /// Encodes `command` as one message; `more` or failed.
  progress ask(bytes_view command, std::string_view database, send_buffer& out);

  /// The end of encoding a request: `more`, or failed with what went wrong.
  progress asked(const fault& bad) {
    if (bad) return fail(bad);
    sent_frames(1);
    return progress::more;
  }

  /// Takes the frame that answers the last request: done when it is an OP_MSG that reports full success.
  progress take(bytes_view frame);

  /// Judges the document of a reply, whatever message brought it.
  progress judge(bytes_view body);

 private:
  progress refuse(const char* field, const server_error& error);

  request_ids& ids_;
  std::int32_t awaited_ = 0;
  std::int64_t server_code_ = 0;
  command_reply reply_;
};

/// Any command: the document goes out with `$db` behind it, the reply is left to be looked at.
class command_exchange final : public request_exchange {
 public:
  explicit command_exchange(request_ids& ids) : request_exchange(ids) {}

  /// Both are views, valid until start() has returned. `command` is one document whose first key names it.
  void set(std::string_view database, bytes_view command) {
    database_ = database;
    command_ = command;
  }

  progress start(send_buffer& out) override { return ask(command_, database_, out); }
  progress on_frame(bytes_view frame, send_buffer&) override { return take(frame); }

 private:
  std::string_view database_;
  bytes_view command_;
};

/// Builds {ping: 1}.
void build_ping(document& command);

/// Builds {endSessions: [lsid, ...]}; at most 10,000 sessions by the specification. Sent when a client that
/// used sessions leaves.
void build_end_sessions(document& command, std::span<const bytes_view> session_ids);

}  // namespace codecs::mongo
