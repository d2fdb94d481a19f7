#include "wire/pg/client.hpp"

#include "codecs/pg/prepare_exchange.hpp"
#include "codecs/pg/terminate_exchange.hpp"

namespace wire::pg {

client::client(std::unique_ptr<transport> transport, watchdog* dog) : channel_(std::move(transport), dog) {}

client::~client() {
  codecs::pg::terminate_exchange farewell(session_);
  if (channel_.usable()) channel_.run(farewell);
}

error_code client::log_in(const codecs::pg::login& how) {
  codecs::pg::startup_exchange startup(session_);
  startup.set(how);
  return channel_.run(startup);
}

error_code client::query(std::string_view text, codecs::pg::result_sink* sink) {
  query_.set(text, sink);
  return channel_.run(query_);
}

error_code client::prepare(std::string_view text, codecs::pg::statement& into) {
  codecs::pg::prepare_exchange prepare(session_);
  prepare.set(text, into);
  return channel_.run(prepare);
}

error_code client::execute(const codecs::pg::statement& what, std::span<const codecs::pg::value> parameters,
                           codecs::pg::result_sink* sink) {
  execute_.set(what, parameters, sink);
  return channel_.run(execute_);
}

error_code client::call(const codecs::pg::large_object::call& what) {
  call_.set(what);
  return channel_.run(call_);
}

error_code client::call(const codecs::pg::large_object::call& what, codecs::bytes_span room,
                        codecs::bytes_view& got) {
  call_.set(what.function, what.arguments, room);
  const auto error = channel_.run(call_);
  if (!error) got = call_.result().value_or(codecs::bytes_view{});
  return error;
}

}  // namespace wire::pg
