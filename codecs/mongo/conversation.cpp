#include "codecs/mongo/conversation.hpp"

namespace codecs::mongo {
namespace {

// Validates the body and finds name and database in the same walk; OP_QUERY has the database in its
// namespace.
fault read_body(request& request) {
  bson_iter_t at = elements(request.body);
  while (!at_end(at)) {
    if (!bson_iter_next(&at)) return {errc::remote_bad_value, "element"};
    if (const fault bad = validate_embedded(at)) return bad;
    const auto key = key_of(at);
    if (request.name.empty()) request.name = key;
    if (key == "$db" && request.database.empty()) request.database = text(at);
  }
  return {};
}

}  // namespace

fault count_entries(const request& request, const char* identifier, std::int32_t& entries) {
  entries = 0;
  return visit_entries(request, identifier, [&entries](bytes_view) {
    ++entries;
    return fault{};
  });
}

void build_error(document& reply, std::int32_t code, const char* name, std::string_view message) {
  reply.clear();
  BSON_APPEND_DOUBLE(reply.get(), "ok", 0.0);
  append_text(reply.get(), "errmsg", message);
  BSON_APPEND_INT32(reply.get(), "code", code);
  BSON_APPEND_UTF8(reply.get(), "codeName", name);
}

answer conversation::on_frame(bytes_view frame, send_buffer& out) {
  rest_bytes_ = 0;
  switch (peek_header(frame).op) {
    case op_code::msg:
      return on_msg(frame, out);
    case op_code::query:
      return on_query(frame, out);
    default:
      return answer::close;
  }
}

answer conversation::on_msg(bytes_view frame, send_buffer& out) {
  op_msg message;
  fault bad = decode(frame, message);
  if (!bad && message.checksum == checksum::wrong) bad = {errc::remote_bad_checksum, "checksum"};
  request request{.body = message.body, .sequences = message.sequences(), .skimmed = skims_};
  const bytes_view body = bad ? refuse(code::failed_to_parse, "FailedToParse", bad) : respond(request);
  if (!bad && (message.flags & flag::more_to_come)) return answer::none;

  // mongod appends a checksum to the reply exactly when the request had one (its op_msg.cpp); we do without on borrowed payload.
  const bool checked = message.checksum == checksum::valid && rest_bytes_ == 0;
  const auto flags = checked ? flag::checksum_present : 0;
  sent_frames(1);
  const message_parts reply{
      .request_id = ids_.next(), .response_to = message.header.request_id, .flags = flags, .body = body};
  return encode_reply(reply, out) || bad ? answer::close : answer::reply;
}

fault conversation::encode_reply(const message_parts& reply, send_buffer& out) {
  if (rest_bytes_ == 0) return encode(out, reply);
  writer to(out);
  encode_head(to, reply, rest_bytes_);
  write_rest(to);
  return to.finish();
}

answer conversation::on_query(bytes_view frame, send_buffer& out) {
  constexpr std::string_view command_collection = ".$cmd";
  op_query message;
  const fault bad = decode(frame, message);
  const bool is_command = message.collection.ends_with(command_collection);
  op_reply reply{.request_id = ids_.next(), .response_to = peek_header(frame).request_id, .returned = 1};
  if (bad) {
    reply.flags = op_reply::query_failure;
    reply.documents = refuse(code::failed_to_parse, "FailedToParse", bad);
  } else if (!is_command) {
    reply.flags = op_reply::query_failure;
    constexpr auto why = "OP_QUERY is taken for commands only";
    build_error(reply_, code::bad_value, "BadValue", why);
    BSON_APPEND_UTF8(reply_.get(), "$err", why);  // what clients of that age read
    reply.documents = reply_.view();
  } else {
    const auto database = message.collection.substr(0, message.collection.size() - command_collection.size());
    request request{.database = database, .body = message.query};
    reply.documents = respond(request);
    if (rest_bytes_ != 0)
      reply.documents = refuse(code::bad_value, "BadValue", {errc::remote_bad_value, "opCode"});
  }
  sent_frames(1);
  return encode(out, reply) || bad ? answer::close : answer::reply;
}

bytes_view conversation::respond(request& request) {
  if (const fault bad = read_body(request)) return refuse(code::invalid_bson, "InvalidBSON", bad);
  if (request.database.empty())
    return refuse(code::failed_to_parse, "FailedToParse", {errc::remote_bad_value, "$db"});
  reply_.clear();
  return answer_command(request, reply_);
}

bytes_view conversation::refuse(std::int32_t code, const char* name, const fault& why) {
  build_error(reply_, code, name, failure{why, {}}.sentence());
  return reply_.view();
}

}  // namespace codecs::mongo
