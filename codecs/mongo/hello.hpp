#pragma once
// The first words on every connection (specification mongodb-handshake): the client says who it is, the
// server what it takes. wirebench says `hello` in OP_MSG; a server that does not know the name (code 59) is
// asked again for the older `isMaster`. The opening in OP_QUERY is what most released drivers send.

#include "codecs/mongo/command.hpp"

namespace codecs::mongo {

/// What a server takes in one message; the defaults hold where it does not tell.
struct limits {
  std::int32_t document_bytes = 16'777'216;  ///< maxBsonObjectSize
  std::int32_t message_bytes = max_message_bytes;
  std::int32_t write_batch = 1'000;  ///< maxWriteBatchSize; the default is libmongoc's
};

struct hello_reply {
  mongo::limits limits;
  std::int32_t min_wire_version = 0;
  std::int32_t max_wire_version = 0;
  std::optional<std::int32_t> session_timeout_minutes;  ///< absent: the server has no sessions
  bool hello_ok = false;  ///< after isMaster: `hello` would have been understood
};

/// Reads a hello reply. A limit or version that is no positive int32 is remote_bad_value and named.
fault decode(bytes_view body, hello_reply& reply);

/// What the server logs about a client; views. The specification allows 512 bytes for all of it, BSON
/// included, and 128 for the application's name; a server refuses the handshake beyond.
struct client_metadata {
  static constexpr std::size_t max_bytes = 512;
  static constexpr std::size_t max_application_bytes = 128;

  std::string_view driver;
  std::string_view version;
  std::string_view application;  ///< left out when empty
};

/// Builds {hello: 1, ...}, or {isMaster: 1, helloOk: true, ...} when `legacy`. local_bad_value when the
/// metadata is too long ("client", "application.name").
fault build_hello(document& command, bool legacy, const client_metadata& client);

class hello_exchange final : public request_exchange {
 public:
  enum class opening { msg, query };

  /// The strings of `client` outlive the exchange.
  hello_exchange(request_ids& ids, const client_metadata& client, opening first = opening::msg)
      : request_exchange(ids), client_(client), opening_(first) {}

  progress start(send_buffer& out) override;
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// Valid after done.
  const hello_reply& server() const { return server_; }

 private:
  progress greet(bool legacy, send_buffer& out);
  progress greet_in_query(send_buffer& out);
  progress take_query_reply(bytes_view frame);

  client_metadata client_;
  opening opening_;
  bool legacy_ = false;
  std::int32_t query_id_ = 0;
  document command_;
  hello_reply server_;
};

}  // namespace codecs::mongo
