#pragma once
// FunctionCalls that move one file chunk by chunk, several of them in flight:
//
//   { F } up to the depth  ->  { (V | E) Z } ..., and each Z lets the next F go
//
// The manual says that the next call may be sent when Z has come; several in flight work because a server reads one message
// at a time, and each has its own Z, after an error too.

#include "codecs/pg/large_object.hpp"
#include "codecs/pg/session.hpp"

#include <optional>

namespace codecs::pg {

class call_series : public session_exchange {
 public:
  /// What ends the series ends it with its first cause: nothing further is asked for, calls in flight are awaited, the session is
  /// in step, why() names the chunk and has the server's words.
  progress on_frame(bytes_view frame, send_buffer& out) final;

 protected:
  /// `function` is a literal, which failures name.
  call_series(session& session, const char* function) : session_exchange(session), function_(function) {}

  /// Begins anew. What forbids that: no transaction block (local_wrong_state, case C26), a chunk size that no message holds
  /// (local_bad_value).
  std::optional<failure> begin_series(std::int64_t chunk_bytes);

  /// V of the oldest call.
  virtual progress on_result(const value& result) = 0;

  /// The oldest call is over.
  virtual void on_call_over() = 0;

  /// The chunk of the oldest call, for a person.
  virtual std::string place() const = 0;

  /// Sends what may be sent, or ends the op when no call is in flight.
  virtual progress go_on(send_buffer& out) = 0;

  void stop(errc code, std::string_view place, std::string_view text);
  const std::optional<failure>& stopped() const { return stopped_; }

  /// The result of the oldest call has come, and its Z has not.
  bool answered() const { return answered_; }

  progress encode_call(const large_object::call& call, send_buffer& out);

 private:
  void begin_call();
  progress on_response(bytes_view frame);
  progress on_call_end(bytes_view frame, send_buffer& out);

  const char* function_;
  bool answered_ = false;
  std::optional<failure> stopped_;
};

}  // namespace codecs::pg
