#include "codecs/mongo/cursor.hpp"

#include <limits>

namespace codecs::mongo {

void build_find(document& body, const find_command& command) {
  body.clear();
  bson_t* to = body.get();
  append_text(to, "find", command.collection);
  if (!command.filter.empty()) append_document(to, "filter", command.filter);
  if (!command.sort.empty()) append_document(to, "sort", command.sort);
  if (!command.projection.empty()) append_document(to, "projection", command.projection);
  if (command.limit != 0) bson_append_int64(to, "limit", 5, command.limit);
  if (command.batch_size >= 0) bson_append_int32(to, "batchSize", 9, command.batch_size);
  if (command.single_batch) bson_append_bool(to, "singleBatch", 11, true);
}

fault decode(bytes_view body, find_command& command) {
  command = {};
  bson_iter_t at = elements(body);
  if (!bson_iter_next(&at) || text(at).empty()) return {errc::remote_bad_value, "find"};
  command.collection = text(at);
  while (bson_iter_next(&at)) {
    const auto key = key_of(at);
    if (key == "$db") {
      command.database = text(at);
    } else if (key == "filter") {
      command.filter = embedded(at);
    } else if (key == "sort") {
      command.sort = embedded(at);
    } else if (key == "projection") {
      command.projection = embedded(at);
    } else if (key == "limit") {
      command.limit = integer(at).value_or(0);
    } else if (key == "singleBatch") {
      command.single_batch = bson_iter_as_bool(&at);
    } else if (key == "batchSize") {
      const auto size = integer(at);
      if (!size || *size < 0 || *size > std::numeric_limits<std::int32_t>::max()) {
        return {errc::remote_bad_value, "batchSize"};
      }
      command.batch_size = static_cast<std::int32_t>(*size);
    }
  }
  return {};
}

void build_get_more(document& body, std::int64_t cursor, const find_command& command) {
  body.clear();
  bson_append_int64(body.get(), "getMore", 7, cursor);
  append_text(body.get(), "collection", command.collection);
  // A batchSize of 0 means "no documents yet" to find and is refused or endless in getMore.
  if (command.batch_size > 0) bson_append_int32(body.get(), "batchSize", 9, command.batch_size);
}

void build_kill_cursor(document& body, std::int64_t cursor, std::string_view collection) {
  body.clear();
  append_text(body.get(), "killCursors", collection);
  bson_t ids;
  BSON_APPEND_ARRAY_BEGIN(body.get(), "cursors", &ids);
  BSON_APPEND_INT64(&ids, "0", cursor);
  bson_append_array_end(body.get(), &ids);
}

fault decode(bytes_view cursor, cursor_batch& batch) {
  batch = {};
  std::optional<std::int64_t> id;
  bson_iter_t at = elements(cursor);
  while (!at_end(at)) {
    if (!bson_iter_next(&at)) return {errc::remote_bad_value, "cursor"};
    const auto key = key_of(at);
    if (key == "id") {
      id = integer(at);
    } else if ((key == "firstBatch" || key == "nextBatch") && BSON_ITER_HOLDS_ARRAY(&at)) {
      batch.documents = embedded(at);
    }
  }
  if (!id) return {errc::remote_bad_value, "cursor.id"};
  batch.id = *id;
  return check_document(batch.documents) ? fault{errc::remote_bad_value, "cursor batch"} : fault{};
}

progress find_exchange::start(send_buffer& out) {
  phase_ = phase::walking;
  delivered_ = 0;
  get_mores_ = 0;
  build_find(body_, command_);
  return ask(body_.view(), command_.database, out);
}

progress find_exchange::on_frame(bytes_view frame, send_buffer& out) {
  const auto answered = take(frame);
  if (answered == progress::failed || phase_ == phase::killing) return answered;
  cursor_batch batch;
  if (reply().cursor.empty()) return fail(errc::remote_bad_value, "cursor");
  if (const fault bad = decode(reply().cursor, batch)) return fail(bad);
  bool enough = false;
  if (const fault bad = deliver(batch.documents, enough)) return fail(bad);
  if (batch.id == 0) return progress::done;
  return enough || command_.single_batch ? kill(batch.id, out) : get_more(batch.id, out);
}

fault find_exchange::deliver(bytes_view documents, bool& enough) {
  const auto limit = static_cast<std::uint64_t>(command_.limit);
  bson_iter_t at = elements(documents);
  while (!at_end(at) && !enough) {
    if (!bson_iter_next(&at)) return {errc::remote_bad_value, "cursor batch"};
    const bytes_view document = BSON_ITER_HOLDS_DOCUMENT(&at) ? embedded(at) : bytes_view{};
    if (check_document(document)) return {errc::remote_bad_value, "cursor batch"};
    ++delivered_;
    enough = !sink_->take(document) || delivered_ == limit;
  }
  return {};
}

progress find_exchange::get_more(std::int64_t cursor, send_buffer& out) {
  ++get_mores_;
  build_get_more(body_, cursor, command_);
  return ask(body_.view(), command_.database, out);
}

progress find_exchange::kill(std::int64_t cursor, send_buffer& out) {
  phase_ = phase::killing;
  build_kill_cursor(body_, cursor, command_.collection);
  return ask(body_.view(), command_.database, out);
}

}  // namespace codecs::mongo
