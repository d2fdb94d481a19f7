#pragma once
// The raw PostgreSQL client: ops over one connection, each one exchange on the channel. Messages are built anew on every
// call and make no heap allocation once the connection is warm. Not thread-safe.
//
//   wire::pg::client client(std::move(connected.transport), &dog);
//   client.log_in({.user = "me", .database = "test"});
//   client.query("SELECT 1", &sink);

#include "codecs/pg/execute_exchange.hpp"
#include "codecs/pg/function_call_exchange.hpp"
#include "codecs/pg/query_exchange.hpp"
#include "codecs/pg/startup_exchange.hpp"

#include "wire/channel.hpp"

namespace wire::pg {

class client {
 public:
  /// Takes a connected transport. With a `dog`, which outlives the client, silence ends as errc::remote_timeout.
  explicit client(std::unique_ptr<transport> transport, watchdog* dog = nullptr);

  /// Says Terminate, if the stream is in step.
  ~client();

  /// Opens the session; comes first. `how` needs to be valid during the call alone.
  error_code log_in(const codecs::pg::login& how);

  // Each op comes twice: under its own name it is run, blocking; under the name with _op it is only made ready, for
  // async_channel::async_run(). The exchange is this client's and stays ready until the next op of its kind; what its
  // arguments refer to lives until it was run.

  /// Simple query: any number of statements in one text. Results go to `sink`, which may be null.
  error_code query(std::string_view text, codecs::pg::result_sink* sink = nullptr) {
    return channel_.run(query_op(text, sink));
  }
  codecs::exchange& query_op(std::string_view text, codecs::pg::result_sink* sink = nullptr);

  /// Prepares `text` under `into.name`, which must be free, and fills in the rest of `into`.
  error_code prepare(std::string_view text, codecs::pg::statement& into);

  /// Executes a prepared statement, binary both ways; without Describe, and with one Sync.
  error_code execute(const codecs::pg::statement& what, std::span<const codecs::pg::value> parameters,
                     codecs::pg::result_sink* sink = nullptr) {
    return channel_.run(execute_op(what, parameters, sink));
  }
  codecs::exchange& execute_op(const codecs::pg::statement& what,
                               std::span<const codecs::pg::value> parameters,
                               codecs::pg::result_sink* sink = nullptr);

  /// A function on the fast path whose result is a number, which then is in number().
  error_code call(const codecs::pg::large_object::call& what) { return channel_.run(call_op(what)); }
  codecs::exchange& call_op(const codecs::pg::large_object::call& what);
  std::int64_t number() const { return call_.number(); }

  /// loread and others that return bytes: at most room.size() of them, written to `room`; got() is what of it was filled.
  error_code call(const codecs::pg::large_object::call& what, codecs::bytes_span room) {
    return channel_.run(call_op(what, room));
  }
  codecs::exchange& call_op(const codecs::pg::large_object::call& what, codecs::bytes_span room);
  codecs::bytes_view got() const { return call_.result().value_or(codecs::bytes_view{}); }

  const codecs::pg::session& session() const { return session_; }

  /// For exchanges of one's own: many of a kind in flight (codecs::window), or one that has no op here.
  codecs::pg::session& session() { return session_; }

  /// The last error as one clause for a person; valid until the next op.
  const std::string& why() const { return channel_.why(); }

  const wire::channel& channel() const { return channel_; }
  wire::channel& channel() { return channel_; }

 private:
  wire::channel channel_;
  codecs::pg::session session_;
  codecs::pg::query_exchange query_{session_};
  codecs::pg::execute_exchange execute_{session_};
  codecs::pg::function_call_exchange call_{session_};
};

}  // namespace wire::pg
