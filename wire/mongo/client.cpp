#include "wire/mongo/client.hpp"

namespace wire::mongo {

client::client(std::unique_ptr<transport> transport, watchdog* dog)
    : channel_(std::move(transport), dog),
      command_(ids_),
      insert_(ids_, server_.limits),
      update_(ids_, server_.limits),
      remove_(ids_, server_.limits),
      find_(ids_) {}

error_code client::hello(codecs::mongo::hello_exchange::opening first) {
  codecs::mongo::hello_exchange hello(
      ids_, {.driver = "wirebench", .version = WIREBENCH_VERSION, .application = {}}, first);
  const auto error = channel_.run(hello);
  if (!error) server_ = hello.server();
  return error;
}

codecs::exchange& client::command_op(std::string_view database, codecs::bytes_view command) {
  command_.set(database, command);
  return command_;
}

codecs::exchange& client::insert_op(const codecs::mongo::insert_command& command) {
  insert_.set(command);
  return insert_;
}

codecs::exchange& client::update_op(const codecs::mongo::update_command& command) {
  update_.set(command);
  return update_;
}

codecs::exchange& client::remove_op(const codecs::mongo::remove_command& command) {
  remove_.set(command);
  return remove_;
}

codecs::exchange& client::find_op(const codecs::mongo::find_command& command,
                                  codecs::mongo::document_sink& sink) {
  find_.set(command, sink);
  return find_;
}

}  // namespace wire::mongo
