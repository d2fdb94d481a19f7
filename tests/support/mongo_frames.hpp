#pragma once
// What tests say to the code under test when the bytes themselves are not the point: documents from JSON by
// libbson, frames put together by hand. Nothing here uses our own encoders.

#include "codecs/exchange.hpp"

#include "tests/support/hex.hpp"

namespace tests {

/// A document from extended JSON.
bytes bson(const char* json);

/// An empty document with `levels` documents (or arrays, type 4) of the key "d" around it: case C11's recipe.
bytes nested(std::size_t levels, std::uint8_t type = 3);

/// A document as relaxed extended JSON without spaces around it.
std::string to_json(codecs::bytes_view document);

/// An OP_MSG of one body.
bytes msg_frame(std::int32_t request_id, std::int32_t response_to, const bytes& body,
                std::uint32_t flags = 0);

/// The body of an OP_MSG with one section; the id of its message and what it responds to.
struct opened_msg {
  std::int32_t request_id;
  std::int32_t response_to;
  std::uint32_t flags;
  std::string body;  ///< JSON
};
opened_msg open_msg(codecs::bytes_view frame);

/// The requestID of any message.
std::int32_t id_of(codecs::bytes_view frame);

}  // namespace tests
