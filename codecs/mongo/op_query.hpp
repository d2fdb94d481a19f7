#pragma once
// OP_QUERY and OP_REPLY, which survive as the first words of a connection: drivers of many years greet a
// server in them before they know that it speaks OP_MSG (specification mongodb-handshake, case C04).
//
//   OP_QUERY  header | flags | fullCollectionName\0 | numberToSkip | numberToReturn | query [| fields]
//   OP_REPLY  header | responseFlags | cursorID int64 | startingFrom | numberReturned | documents

#include "codecs/mongo/bson.hpp"
#include "codecs/mongo/frame.hpp"

namespace codecs::mongo {

/// Views into the frame when decoded, of the caller when encoded.
struct op_query {
  static constexpr std::int32_t secondary_ok = 4;

  std::int32_t request_id = 0;
  std::int32_t flags = 0;
  std::string_view collection;  ///< with its database: "admin.$cmd" addresses commands of `admin`
  std::int32_t skip = 0;
  std::int32_t to_return = -1;  ///< -1: one document and no cursor, as for commands
  bytes_view query;
  bytes_view fields;  ///< the optional projection; empty when absent
};

fault decode(bytes_view frame, op_query& message);
fault encode(send_buffer& out, const op_query& message);

struct op_reply {
  static constexpr std::int32_t query_failure = 2;

  std::int32_t request_id = 0;
  std::int32_t response_to = 0;
  std::int32_t flags = 0;
  std::int64_t cursor = 0;
  std::int32_t starting_from = 0;
  std::int32_t returned = 0;
  bytes_view documents;  ///< `returned` of them, back to back; lengths checked, see document_cursor
};

/// A number of documents that differs from numberReturned is a fault too.
fault decode(bytes_view frame, op_reply& message);
fault encode(send_buffer& out, const op_reply& message);

}  // namespace codecs::mongo
