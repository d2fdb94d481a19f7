#include "codecs/mongo/trace.hpp"

#include "codecs/mongo/command.hpp"
#include "codecs/mongo/op_query.hpp"

#include <fmt/format.h>

#include <iterator>

namespace codecs::mongo {
namespace {

using text_out = std::back_insert_iterator<std::string>;

void add_fault(text_out to, const fault& bad) {
  fmt::format_to(to, " undecodable: {}", failure{bad, {}}.sentence());
}

void add_flags(text_out to, const op_msg& message) {
  if (message.flags & flag::more_to_come) fmt::format_to(to, " moreToCome");
  if (message.flags & flag::exhaust_allowed) fmt::format_to(to, " exhaustAllowed");
  if (message.checksum == checksum::valid) fmt::format_to(to, " checksum");
  if (message.checksum == checksum::wrong) fmt::format_to(to, " checksum WRONG");
}

void add_sequences(text_out to, const op_msg& message) {
  for (const auto& sequence : message.sequences()) {
    std::size_t count = 0;
    document_cursor documents(sequence.documents);
    for (bytes_view document; documents.next(document);) ++count;
    fmt::format_to(to, " {}={}/{}B", printable(sequence.identifier), count, sequence.documents.size());
  }
}

void add_outcome(text_out to, bytes_view body) {
  command_reply reply;
  if (const fault bad = decode(body, reply)) return add_fault(to, bad);
  fmt::format_to(to, " ok={}", reply.ok ? 1 : 0);
  if (reply.n) fmt::format_to(to, " n={}", *reply.n);
  if (const auto modified = lookup(body, "nModified"))
    fmt::format_to(to, " nModified={}", integer(*modified).value_or(-1));
  if (const auto upserted = lookup(body, "upserted")) {
    const auto array = embedded(*upserted);
    fmt::format_to(to, " upserted={}", check_document(array) ? -1 : count_elements(array));
  }
  if (!reply.ok)
    fmt::format_to(to, " code={} errmsg=\"{}\"", reply.error.code, printable(reply.error.message));
  if (!reply.write_errors.empty()) fmt::format_to(to, " writeErrors");
  if (!reply.write_concern_error.empty()) fmt::format_to(to, " writeConcernError");
}

void add_msg(text_out to, bytes_view frame, direction towards) {
  op_msg message;
  const fault bad = decode(frame, message);
  if (bad) return add_fault(to, bad);
  if (towards == direction::to_server) {
    const auto database = lookup(message.body, "$db");
    fmt::format_to(to, " {} db={}", printable(first_key(message.body)),
                   database ? printable(text(*database)) : "");
  } else {
    add_outcome(to, message.body);
  }
  fmt::format_to(to, " body={}B", message.body.size());
  add_sequences(to, message);
  add_flags(to, message);
}

// The pair that opens a connection has a name of its own (case C04).
void add_query(text_out to, bytes_view frame) {
  op_query message;
  if (const fault bad = decode(frame, message)) return add_fault(to, bad);
  const auto name = first_key(message.query);
  const bool hello = name == "isMaster" || name == "ismaster" || name == "hello";
  fmt::format_to(to, " {}{} {}", printable(name), hello ? " hello (legacy)" : "",
                 printable(message.collection));
}

void add_reply(text_out to, bytes_view frame) {
  op_reply message;
  if (const fault bad = decode(frame, message)) return add_fault(to, bad);
  const bool hello = message.returned == 1 && lookup(message.documents, "maxWireVersion").has_value();
  if (hello) fmt::format_to(to, " hello (legacy)");
  if (message.flags & op_reply::query_failure) fmt::format_to(to, " QueryFailure");
  fmt::format_to(to, " documents={}", message.returned);
  if (message.returned == 1) add_outcome(to, message.documents);
}

}  // namespace

std::string trace(bytes_view frame, direction towards) {
  std::string line;
  const text_out to(line);
  if (frame.size() < header_bytes) {
    fmt::format_to(to, "{} {} bytes, no header", arrow(towards), frame.size());
    return line;
  }
  const auto header = peek_header(frame);
  const auto start = [&](std::string_view name) {
    fmt::format_to(to, "{} {} id={}", arrow(towards), name, header.request_id);
    if (header.response_to != 0) fmt::format_to(to, " to={}", header.response_to);
    fmt::format_to(to, " {}B", frame.size());
  };
  switch (header.op) {
    case op_code::msg:
      start("OP_MSG");
      add_msg(to, frame, towards);
      break;
    case op_code::query:
      start("OP_QUERY");
      add_query(to, frame);
      break;
    case op_code::reply:
      start("OP_REPLY");
      add_reply(to, frame);
      break;
    case op_code::compressed:
      start("OP_COMPRESSED");
      break;
    default:
      start(fmt::format("opcode {}", static_cast<std::int32_t>(header.op)));
  }
  return line;
}

}  // namespace codecs::mongo
