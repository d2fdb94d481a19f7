#include "codecs/mongo/hello.hpp"

#include "codecs/mongo/op_query.hpp"

#include <limits>

namespace codecs::mongo {
namespace {

// OP_MSG came with wire version 6 (MongoDB 3.6).
constexpr std::int32_t first_wire_version_with_op_msg = 6;

bool take(const bson_iter_t& at, std::int64_t smallest, std::int32_t& into) {
  const auto value = integer(at);
  if (!value || *value < smallest || *value > std::numeric_limits<std::int32_t>::max()) return false;
  into = static_cast<std::int32_t>(*value);
  return true;
}

void append_section(bson_t* to, const char* key,
                    std::initializer_list<std::pair<const char*, std::string_view>> texts) {
  bson_t section;
  BSON_APPEND_DOCUMENT_BEGIN(to, key, &section);
  for (const auto& [name, value] : texts) append_text(&section, name, value);
  bson_append_document_end(to, &section);
}

}  // namespace

fault decode(bytes_view body, hello_reply& reply) {
  reply = {};
  bson_iter_t at = elements(body);
  while (!at_end(at)) {
    if (!bson_iter_next(&at)) return {errc::remote_bad_value, "element"};
    const auto key = key_of(at);
    const auto bad = [](const char* field) { return fault{errc::remote_bad_value, field}; };
    if (key == "maxBsonObjectSize") {
      if (!take(at, 1, reply.limits.document_bytes)) return bad("maxBsonObjectSize");
    } else if (key == "maxMessageSizeBytes") {
      if (!take(at, 1, reply.limits.message_bytes)) return bad("maxMessageSizeBytes");
    } else if (key == "maxWriteBatchSize") {
      if (!take(at, 1, reply.limits.write_batch)) return bad("maxWriteBatchSize");
    } else if (key == "minWireVersion") {
      if (!take(at, 0, reply.min_wire_version)) return bad("minWireVersion");
    } else if (key == "maxWireVersion") {
      if (!take(at, 0, reply.max_wire_version)) return bad("maxWireVersion");
    } else if (key == "logicalSessionTimeoutMinutes" && !BSON_ITER_HOLDS_NULL(&at)) {
      if (!take(at, 0, reply.session_timeout_minutes.emplace())) return bad("logicalSessionTimeoutMinutes");
    } else if (key == "helloOk") {
      reply.hello_ok = bson_iter_as_bool(&at);
    }
  }
  return {};
}

fault build_hello(document& command, bool legacy, const client_metadata& client) {
  if (client.application.size() > client_metadata::max_application_bytes) {
    return {errc::local_bad_value, "application.name"};
  }
  command.clear();
  bson_t* to = command.get();
  BSON_APPEND_INT32(to, legacy ? "isMaster" : "hello", 1);
  if (legacy) BSON_APPEND_BOOL(to, "helloOk", true);
  BSON_APPEND_UTF8(to, "backpressure", "2");  // a string, mandatory since the handshake text of 2026-06-25
  bson_t about;
  BSON_APPEND_DOCUMENT_BEGIN(to, "client", &about);
  if (!client.application.empty()) append_section(&about, "application", {{"name", client.application}});
  append_section(&about, "driver", {{"name", client.driver}, {"version", client.version}});
  append_section(&about, "os", {{"type", "Linux"}});
  const auto about_bytes = about.len;
  bson_append_document_end(to, &about);
  if (about_bytes > client_metadata::max_bytes) return {errc::local_bad_value, "client"};
  return {};
}

progress hello_exchange::start(send_buffer& out) {
  return opening_ == opening::msg ? greet(false, out) : greet_in_query(out);
}

progress hello_exchange::greet(bool legacy, send_buffer& out) {
  legacy_ = legacy;
  if (const fault bad = build_hello(command_, legacy, client_)) return fail(bad);
  return ask(command_.view(), "admin", out);
}

progress hello_exchange::greet_in_query(send_buffer& out) {
  legacy_ = true;
  if (const fault bad = build_hello(command_, true, client_)) return fail(bad);
  query_id_ = next_id();
  const op_query message{.request_id = query_id_,
                         .flags = op_query::secondary_ok,
                         .collection = "admin.$cmd",
                         .query = command_.view()};
  return asked(encode(out, message));
}

progress hello_exchange::on_frame(bytes_view frame, send_buffer& out) {
  const auto answered = opening_ == opening::msg ? take(frame) : take_query_reply(frame);
  if (answered == progress::failed) {
    const bool unknown = server_code() == code::command_not_found;
    return unknown && !legacy_ ? greet(true, out) : progress::failed;
  }
  if (const fault bad = decode(reply().body, server_)) return fail(bad);
  if (server_.max_wire_version < first_wire_version_with_op_msg) {
    return fail(errc::remote_unsupported, "maxWireVersion", "the server is too old for OP_MSG");
  }
  return progress::done;
}

progress hello_exchange::take_query_reply(bytes_view frame) {
  op_reply message;
  if (const fault bad = decode(frame, message)) return fail(bad);
  if (message.response_to != query_id_) return fail(errc::remote_mismatched_reply, "responseTo");
  if (message.returned != 1) return fail(errc::remote_bad_value, "numberReturned");
  return judge(message.documents);
}

}  // namespace codecs::mongo
