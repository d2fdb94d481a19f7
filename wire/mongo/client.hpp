#pragma once
// The raw MongoDB client: ops over one connection, each one exchange on the channel. Ops are built anew on every call and
// make no heap allocation once the connection is warm. Not thread-safe.
//
//   wire::mongo::client client(std::move(connected.transport), &dog);
//   client.hello();
//   client.command("admin", ping.view());

#include "codecs/mongo/cursor.hpp"
#include "codecs/mongo/insert.hpp"
#include "codecs/mongo/remove.hpp"
#include "codecs/mongo/update.hpp"

#include "wire/channel.hpp"

namespace wire::mongo {

class client {
 public:
  /// Takes a connected transport. With a `dog`, which outlives the client, silence ends as errc::remote_timeout.
  explicit client(std::unique_ptr<transport> transport, watchdog* dog = nullptr);

  /// The handshake, which comes first. A server that wants to be asked for more (authentication, compression) is not
  /// refused here but answers later commands with an error.
  error_code hello(
      codecs::mongo::hello_exchange::opening first = codecs::mongo::hello_exchange::opening::msg);

  // Each op comes twice: under its own name it is run, blocking; under the name with _op it is only made ready, for
  // async_channel::async_run(). The exchange is this client's and stays ready until the next op of its kind; what its
  // arguments refer to lives until it was run.

  /// Runs one command; its reply is in reply(). Both views need to be valid during the call alone.
  error_code command(std::string_view database, codecs::bytes_view command) {
    return channel_.run(command_op(database, command));
  }
  codecs::exchange& command_op(std::string_view database, codecs::bytes_view command);

  /// Inserts documents as one message; what became of them is in inserted(), also after an error.
  error_code insert(const codecs::mongo::insert_command& command) { return channel_.run(insert_op(command)); }
  codecs::exchange& insert_op(const codecs::mongo::insert_command& command);

  /// Runs statements as one message; what they changed is in updated() or removed(), also after an error.
  error_code update(const codecs::mongo::update_command& command) { return channel_.run(update_op(command)); }
  codecs::exchange& update_op(const codecs::mongo::update_command& command);
  error_code remove(const codecs::mongo::remove_command& command) { return channel_.run(remove_op(command)); }
  codecs::exchange& remove_op(const codecs::mongo::remove_command& command);

  /// Walks a whole cursor and gives every document to `sink`.
  error_code find(const codecs::mongo::find_command& command, codecs::mongo::document_sink& sink) {
    return channel_.run(find_op(command, sink));
  }
  codecs::exchange& find_op(const codecs::mongo::find_command& command, codecs::mongo::document_sink& sink);

  /// Of the last command(): views, valid until the next op.
  const codecs::mongo::command_reply& reply() const { return command_.reply(); }
  const codecs::mongo::insert_result& inserted() const { return insert_.result(); }
  const codecs::mongo::update_result& updated() const { return update_.result(); }
  const codecs::mongo::remove_result& removed() const { return remove_.result(); }
  const codecs::mongo::hello_reply& server() const { return server_; }

  /// The last error as one clause for a person; valid until the next op.
  const std::string& why() const { return channel_.why(); }

  /// For exchanges of others on this connection.
  codecs::mongo::request_ids& ids() { return ids_; }

  const wire::channel& channel() const { return channel_; }
  wire::channel& channel() { return channel_; }

 private:
  wire::channel channel_;
  codecs::mongo::request_ids ids_;
  codecs::mongo::hello_reply server_;
  codecs::mongo::command_exchange command_;
  codecs::mongo::insert_exchange insert_;
  codecs::mongo::update_exchange update_;
  codecs::mongo::remove_exchange remove_;
  codecs::mongo::find_exchange find_;
};

}  // namespace wire::mongo
