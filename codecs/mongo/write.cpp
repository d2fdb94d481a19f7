#include "codecs/mongo/write.hpp"

#include <algorithm>

namespace codecs::mongo {

void build_write(document& body, const char* command, std::string_view collection, bool acknowledged) {
  body.clear();
  bson_t* to = body.get();
  append_text(to, command, collection);
  bson_append_bool(to, "ordered", 7, true);
  if (acknowledged) return;
  bson_t concern;
  BSON_APPEND_DOCUMENT_BEGIN(to, "writeConcern", &concern);
  BSON_APPEND_INT32(&concern, "w", 0);
  bson_append_document_end(to, &concern);
}

fault write_exchange::check_limits(const write_entries& what, std::size_t message_bytes) const {
  const auto too_long = [](const char* limit) { return fault{errc::local_message_too_long, limit}; };
  if (what.entries.empty()) return {errc::local_bad_value, what.identifier};
  if (what.entries.size() > static_cast<std::size_t>(limits_.write_batch))
    return too_long("maxWriteBatchSize");
  for (const bytes_view entry : what.entries) {
    if (entry.size() > what.entry_limit) return too_long("maxBsonObjectSize");
  }
  if (message_bytes > static_cast<std::size_t>(limits_.message_bytes)) return too_long("maxMessageSizeBytes");
  return {};
}

progress write_exchange::write(bytes_view body, const write_entries& what, send_buffer& out) {
  const message_parts message{.request_id = next_id(),
                              .flags = what.acknowledged ? 0 : flag::more_to_come,
                              .body = body,
                              .database = what.database,
                              .identifier = what.identifier,
                              .documents = what.entries};
  if (const fault bad = check_limits(what, encoded_size(message))) return fail(bad);
  const auto sent = asked(encode(out, message));
  return sent == progress::more && !what.acknowledged ? progress::done : sent;
}

std::int64_t count_unattempted(const command_reply& reply, std::size_t sent) {
  const auto all = static_cast<std::int64_t>(sent);
  if (!reply.ok) return all;
  if (count_elements(reply.write_errors) == 0) return 0;
  bson_iter_t first = elements(reply.write_errors);
  if (!bson_iter_next(&first) || check_document(embedded(first))) return 0;
  const auto index = lookup(embedded(first), "index");
  const auto failed_at = index ? integer(*index).value_or(all - 1) : all - 1;
  return all - 1 - std::clamp<std::int64_t>(failed_at, 0, all - 1);
}

}  // namespace codecs::mongo
