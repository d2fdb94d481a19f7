#pragma once
// What a client knows of its session, and the base of its exchanges.
//
// Accounting: the end of an op is its ReadyForQuery, one per Sync, Query and FunctionCall. Between any
// two messages the server may send NoticeResponse, ParameterStatus and NotificationResponse, in any number. An
// ErrorResponse does not end the op: the stream is in step again at the Z behind it. A Z that answers nothing is a
// protocol error and never absorbed.

#include "codecs/exchange.hpp"
#include "codecs/pg/startup.hpp"

#include <string>
#include <vector>

namespace codecs::pg {

/// State of one connection, shared by its exchanges, which keep it up to date; it must outlive them.
class session {
 public:
  /// What both sides speak, once startup is over.
  std::int32_t protocol = protocol_3_0;

  /// The process that serves this connection and the key for a CancelRequest; 0 and empty when the server sent none,
  /// and then only cancelling is unavailable.
  std::int32_t backend_pid = 0;
  std::vector<std::uint8_t> cancel_key;

  /// From the last ReadyForQuery: the only thing to judge transactions by.
  transaction_status status = transaction_status::idle;

  /// Of the last ErrorResponse, whether or not the session survived it; empty before the first.
  std::string sqlstate;

  /// The last value that the server has reported for a run-time parameter, or an empty view; valid until the next
  /// exchange.
  std::string_view parameter(std::string_view name) const;

  /// Keeps a reported value. Names past the 256th are dropped: no server reports so many.
  void report(const parameter_status& what);

 private:
  struct reported {
    std::string name;
    std::string value;
  };
  std::vector<reported> parameters_;
};

/// What all exchanges of a session have in common.
class session_exchange : public exchange {
 public:
  explicit session_exchange(session& state) : session_(state) {}

  scan_result scan(bytes_view unread) const override { return scan_typed(unread, direction::to_client); }

 protected:
  /// First thing in start().
  void begin() { refused_ = false; }

  /// Messages that may come at any time: notices, parameters, notifications, and errors, after which refused() holds.
  /// Everything else is remote_unexpected_message.
  progress on_any_time(bytes_view frame);

  /// Keeps what a Z says.
  fault take_status(bytes_view frame);

  /// The Z that ends the op: done, or failed when the server has refused something.
  progress on_ready(bytes_view frame);

  progress unexpected() { return fail(errc::remote_unexpected_message, "message type"); }

  /// The server has answered with an ErrorResponse.
  bool refused() const { return refused_; }

  /// Goes on after a message that was decoded well.
  progress settle(fault bad) { return bad ? fail(bad) : progress::more; }

  /// Ends the encoding of so many frames.
  progress sent(writer& out, std::uint64_t frames = 1) {
    if (const auto bad = out.finish()) return fail(bad);
    sent_frames(frames);
    return progress::more;
  }

  session& session_;

 private:
  progress on_error(bytes_view frame);
  progress on_parameter(bytes_view frame);

  bool refused_ = false;
};

}  // namespace codecs::pg
