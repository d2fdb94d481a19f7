#include "codecs/mongo/insert.hpp"

#include <algorithm>

namespace codecs::mongo {
namespace {

constexpr std::string_view identifier = "documents";

// Everything but the body's own bytes and the documents: header, flagBits, both kind bytes, the `$db`
// element, and the size and identifier of the sequence.
std::size_t envelope_bytes(const insert_command& command) {
  const auto db_element = 1 + sizeof "$db" + sizeof(std::int32_t) + command.database.size() + 1;
  return header_bytes + 4 + 1 + db_element + 1 + sizeof(std::int32_t) + identifier.size() + 1;
}

std::int64_t count(bytes_view array) {
  std::int64_t entries = 0;
  if (array.empty()) return entries;
  for (bson_iter_t at = elements(array); bson_iter_next(&at);) ++entries;
  return entries;
}

insert_result read_result(const command_reply& reply, std::size_t sent) {
  insert_result result;
  result.written = reply.n.value_or(0);
  result.failed = count(reply.write_errors);
  result.unattempted =
      std::max<std::int64_t>(0, static_cast<std::int64_t>(sent) - result.written - result.failed);
  result.write_concern_failed = !reply.write_concern_error.empty();
  return result;
}

}  // namespace

void build_insert(document& body, const insert_command& command) {
  body.clear();
  bson_t* to = body.get();
  append_text(to, "insert", command.collection);
  bson_append_bool(to, "ordered", 7, true);
  if (command.acknowledged) return;
  bson_t concern;
  BSON_APPEND_DOCUMENT_BEGIN(to, "writeConcern", &concern);
  BSON_APPEND_INT32(&concern, "w", 0);
  bson_append_document_end(to, &concern);
}

fault insert_exchange::check_limits() const {
  const auto too_long = [](const char* limit) { return fault{errc::local_message_too_long, limit}; };
  if (command_.documents.empty()) return {errc::local_bad_value, "documents"};
  if (command_.documents.size() > static_cast<std::size_t>(limits_.write_batch))
    return too_long("maxWriteBatchSize");
  std::size_t message_bytes = envelope_bytes(command_) + body_.view().size();
  for (const bytes_view document : command_.documents) {
    if (document.size() > static_cast<std::size_t>(limits_.document_bytes))
      return too_long("maxBsonObjectSize");
    message_bytes += document.size();
  }
  if (message_bytes > static_cast<std::size_t>(limits_.message_bytes)) return too_long("maxMessageSizeBytes");
  return {};
}

progress insert_exchange::start(send_buffer& out) {
  result_ = {};
  build_insert(body_, command_);
  if (const fault bad = check_limits()) return fail(bad);
  op_msg_encoder message(out, next_id(), 0, command_.acknowledged ? 0 : flag::more_to_come);
  message.body(body_.view(), command_.database);
  message.sequence(identifier, command_.documents);
  const auto sent = asked(message.finish());
  return sent == progress::more && !command_.acknowledged ? progress::done : sent;
}

progress insert_exchange::on_frame(bytes_view frame, send_buffer&) {
  const auto answered = take(frame);
  if (answered == progress::failed && why().cause.code != errc::remote_server_error) return answered;
  result_ = read_result(reply(), command_.documents.size());
  if (answered == progress::failed) return answered;
  const bool all = reply().n == static_cast<std::int64_t>(command_.documents.size());
  return all ? progress::done : fail(errc::remote_bad_value, "n");
}

}  // namespace codecs::mongo
