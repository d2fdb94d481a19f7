#include "codecs/mongo/insert.hpp"

#include <algorithm>

namespace codecs::mongo {
namespace {

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

fault insert_exchange::check_limits(std::size_t message_bytes) const {
  const auto too_long = [](const char* limit) { return fault{errc::local_message_too_long, limit}; };
  if (command_.documents.empty()) return {errc::local_bad_value, "documents"};
  if (command_.documents.size() > static_cast<std::size_t>(limits_.write_batch))
    return too_long("maxWriteBatchSize");
  for (const bytes_view document : command_.documents) {
    if (document.size() > static_cast<std::size_t>(limits_.document_bytes))
      return too_long("maxBsonObjectSize");
  }
  if (message_bytes > static_cast<std::size_t>(limits_.message_bytes)) return too_long("maxMessageSizeBytes");
  return {};
}

progress insert_exchange::start(send_buffer& out) {
  result_ = {};
  build_insert(body_, command_);
  const message_parts message{.request_id = next_id(),
                              .flags = command_.acknowledged ? 0 : flag::more_to_come,
                              .body = body_.view(),
                              .database = command_.database,
                              .identifier = "documents",
                              .documents = command_.documents};
  if (const fault bad = check_limits(encoded_size(message))) return fail(bad);
  const auto sent = asked(encode(out, message));
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
