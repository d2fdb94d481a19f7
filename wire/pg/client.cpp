#include "wire/pg/client.hpp"

#include "codecs/pg/prepare_exchange.hpp"
#include "codecs/pg/terminate_exchange.hpp"

namespace wire::pg {

// One row, as a whole file may be, and the beginning of what comes behind it.
constexpr std::size_t most_unread = codecs::pg::max_large_reply + std::size_t{2} * 1024 * 1024;

client::client(std::unique_ptr<transport> transport, watchdog* dog)
    : channel_(std::move(transport), most_unread, dog) {}

client::~client() {
  codecs::pg::terminate_exchange farewell(session_);
  if (channel_.usable()) channel_.run(farewell);
}

error_code client::log_in(const codecs::pg::login& how) {
  codecs::pg::startup_exchange startup(session_);
  startup.set(how);
  return channel_.run(startup);
}

codecs::exchange& client::query_op(std::string_view text, codecs::pg::result_sink* sink) {
  query_.set(text, sink);
  return query_;
}

error_code client::prepare(std::string_view text, codecs::pg::statement& into) {
  codecs::pg::prepare_exchange prepare(session_);
  prepare.set(text, into);
  return channel_.run(prepare);
}

codecs::exchange& client::execute_op(const codecs::pg::statement& what,
                                     std::span<const codecs::pg::value> parameters,
                                     codecs::pg::result_sink* sink) {
  execute_.set(what, parameters, sink);
  return execute_;
}

codecs::exchange& client::call_op(const codecs::pg::large_object::call& what) {
  call_.set(what);
  return call_;
}

codecs::exchange& client::call_op(const codecs::pg::large_object::call& what, codecs::bytes_span room) {
  call_.set(what.function, what.arguments, room);
  return call_;
}

}  // namespace wire::pg
