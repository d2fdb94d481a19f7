#include "codecs/mongo/command.hpp"

#include <fmt/format.h>

#include <cassert>

namespace codecs::mongo {
namespace {

std::string describe(const server_error& error) {
  const auto separator = error.name.empty() ? "" : " ";
  return fmt::format("{} (code {}{}{})", error.message, error.code, separator, error.name);
}

bool some(bytes_view array) {
  return array.size() > min_document_bytes;
}

// The first document of an array of errors.
bytes_view first_of(bytes_view array) {
  bson_iter_t at = elements(array);
  return bson_iter_next(&at) ? embedded(at) : bytes_view{};
}

// A nested document that can be iterated, or the fault that it is none.
fault take_embedded(const bson_iter_t& at, const char* field, bytes_view& into) {
  into = embedded(at);
  return check_document(into) ? fault{errc::remote_bad_value, field} : fault{};
}

bool take_error_field(const bson_iter_t& at, std::string_view key, server_error& error) {
  if (key == "code") {
    error.code = integer(at).value_or(0);
  } else if (key == "codeName") {
    error.name = text(at);
  } else if (key == "errmsg") {
    error.message = text(at);
  } else {
    return false;
  }
  return true;
}

fault take_field(const bson_iter_t& at, std::string_view key, command_reply& reply) {
  if (key == "n") {
    reply.n = integer(at);
  } else if (key == "cursor") {
    return take_embedded(at, "cursor", reply.cursor);
  } else if (key == "writeErrors") {
    return take_embedded(at, "writeErrors", reply.write_errors);
  } else if (key == "writeConcernError") {
    return take_embedded(at, "writeConcernError", reply.write_concern_error);
  } else {
    take_error_field(at, key, reply.error);
  }
  return {};
}

}  // namespace

fault decode(bytes_view body, command_reply& reply) {
  reply = {};
  reply.body = body;
  bool has_ok = false;
  bson_iter_t at = elements(body);
  while (!at_end(at)) {
    if (!bson_iter_next(&at)) return {errc::remote_bad_value, "element"};
    const auto key = key_of(at);
    if (key == "ok") {
      const auto ok = integer(at);
      has_ok = ok.has_value();
      reply.ok = ok == 1;
    } else if (const fault bad = take_field(at, key, reply)) {
      return bad;
    }
  }
  return has_ok ? fault{} : fault{errc::remote_bad_value, "ok"};
}

server_error read_error(bytes_view document) {
  server_error error;
  if (check_document(document)) return error;
  bson_iter_t at = elements(document);
  while (bson_iter_next(&at)) take_error_field(at, key_of(at), error);
  return error;
}

progress request_exchange::ask(bytes_view command, std::string_view database, send_buffer& out) {
  return asked(encode(out, {.request_id = next_id(), .body = command, .database = database}));
}

progress request_exchange::take(bytes_view frame) {
  op_msg message;
  if (const fault bad = decode(frame, message)) return fail(bad);
  if (message.checksum == checksum::wrong) return fail(errc::remote_bad_checksum, "checksum");
  // libmongoc does not look at responseTo; a reply to somebody else must never become a result.
  if (message.header.response_to != awaited_) return fail(errc::remote_mismatched_reply, "responseTo");
  // No request here sets exhaustAllowed, so nobody may announce further replies.
  if (message.flags & flag::more_to_come) return fail(errc::remote_unexpected_message, "flagBits");
  return judge(message.body);
}

progress request_exchange::judge(bytes_view body) {
  if (const fault bad = decode(body, reply_)) return fail(bad);
  if (!reply_.ok) return refuse("ok", reply_.error);
  if (some(reply_.write_errors)) return refuse("writeErrors", read_error(first_of(reply_.write_errors)));
  if (some(reply_.write_concern_error)) {
    return refuse("writeConcernError", read_error(reply_.write_concern_error));
  }
  return progress::done;
}

progress request_exchange::refuse(const char* field, const server_error& error) {
  server_code_ = error.code;
  return fail(errc::remote_server_error, field, describe(error));
}

void build_ping(document& command) {
  command.clear();
  BSON_APPEND_INT32(command.get(), "ping", 1);
}

void build_end_sessions(document& command, std::span<const bytes_view> session_ids) {
  assert(session_ids.size() <= 10'000);
  command.clear();
  bson_t array;
  BSON_APPEND_ARRAY_BEGIN(command.get(), "endSessions", &array);
  std::uint32_t index = 0;
  for (const bytes_view id : session_ids) {
    const auto key = fmt::format_int(index++);
    append_document(&array, {key.data(), key.size()}, id);
  }
  bson_append_array_end(command.get(), &array);
}

}  // namespace codecs::mongo
