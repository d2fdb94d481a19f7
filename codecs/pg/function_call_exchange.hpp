#pragma once
// One FunctionCall: F -> (V | E) Z. Every call has its own Z, also after an error.

#include "codecs/pg/large_object.hpp"
#include "codecs/pg/session.hpp"
#include "codecs/pg/value_landing.hpp"

#include <array>

namespace codecs::pg {

class function_call_exchange final : public session_exchange {
 public:
  using session_exchange::session_exchange;

  /// The result goes into `room`, which bounds it: a longer one breaks the stream (a server could overrun libpq's callers
  /// that way, CVE-2026-6477). A payload among the arguments and `room` live until the op is over.
  void set(oid function, const function_arguments& arguments, bytes_span room) {
    function_ = function;
    arguments_ = arguments;
    room_ = room;
  }

  /// For results that are a number.
  void set(oid function, const function_arguments& arguments) { set(function, arguments, number_); }
  void set(const large_object::call& call) { set(call.function, call.arguments); }

  /// Calls that need a large-object descriptor are local_wrong_state when the last Z was I: a descriptor lives no longer
  /// than its transaction (case C26).
  progress start(send_buffer& out) override;
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// A result that is worth a read of its own lands in the room.
  landing land(bytes_view unread) override;

  /// Valid after `done`, until the next set(): a view of the given room, empty for NULL.
  const value& result() const { return result_; }

  /// The result as int4 or int8, whichever came; anything else is 0.
  std::int64_t number() const;

 private:
  progress on_response(bytes_view frame);

  oid function_ = 0;
  function_arguments arguments_;
  bytes_span room_;
  std::array<std::uint8_t, 8> number_ = {};
  value result_;
  bool answered_ = false;
  value_landing landing_{reply::function_call_response};
};

}  // namespace codecs::pg
