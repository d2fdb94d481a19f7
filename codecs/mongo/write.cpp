#include "codecs/mongo/write.hpp"

#include <algorithm>

namespace codecs::mongo {
namespace {

std::int64_t count_unattempted(const command_reply& reply, std::size_t sent) {
  const auto all = static_cast<std::int64_t>(sent);
  if (!reply.ok) return all;
  if (count_elements(reply.write_errors) == 0) return 0;
  return all - 1 - std::clamp<std::int64_t>(first_failed(reply).value_or(all - 1), 0, all - 1);
}

}  // namespace

void build(document& body, const write_entries& what) {
  body.clear();
  bson_t* to = body.get();
  append_text(to, what.command, what.collection);
  bson_append_bool(to, "ordered", 7, true);
  if (what.acknowledged) return;
  bson_t concern;
  BSON_APPEND_DOCUMENT_BEGIN(to, "writeConcern", &concern);
  BSON_APPEND_INT32(&concern, "w", 0);
  bson_append_document_end(to, &concern);
}

std::optional<std::int64_t> first_failed(const command_reply& reply) {
  if (reply.write_errors.empty()) return std::nullopt;
  bson_iter_t first = elements(reply.write_errors);
  if (!bson_iter_next(&first) || check_document(embedded(first))) return std::nullopt;
  const auto index = lookup(embedded(first), "index");
  return index ? integer(*index) : std::nullopt;
}

fault write_exchange::check_limits(const write_entries& what, std::size_t message_bytes) const {
  const auto too_long = [](const char* limit) { return fault{errc::local_message_too_long, limit}; };
  const auto entry_limit = static_cast<std::size_t>(limits_.document_bytes) + what.allowance_bytes;
  if (what.entries.empty()) return {errc::local_bad_value, what.identifier};
  if (what.entries.size() > static_cast<std::size_t>(limits_.write_batch))
    return too_long("maxWriteBatchSize");
  for (const bytes_view entry : what.entries) {
    if (entry.size() > entry_limit) return too_long("maxBsonObjectSize");
  }
  if (message_bytes > static_cast<std::size_t>(limits_.message_bytes)) return too_long("maxMessageSizeBytes");
  return {};
}

progress write_exchange::write(const write_entries& what, send_buffer& out) {
  build(body_, what);
  const message_parts message{.request_id = next_id(),
                              .flags = what.acknowledged ? 0 : flag::more_to_come,
                              .body = body_.view(),
                              .database = what.database,
                              .identifier = what.identifier,
                              .documents = what.entries};
  if (const fault bad = check_limits(what, encoded_size(message))) return fail(bad);
  const auto sent = asked(encode(out, message));
  return sent == progress::more && !what.acknowledged ? progress::done : sent;
}

write_losses losses_of(const command_reply& reply, std::size_t sent) {
  return {.failed = count_elements(reply.write_errors),
          .unattempted = count_unattempted(reply, sent),
          .write_concern_failed = !reply.write_concern_error.empty()};
}

}  // namespace codecs::mongo
