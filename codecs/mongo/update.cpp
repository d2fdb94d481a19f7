#include "codecs/mongo/update.hpp"

#include <limits>

namespace codecs::mongo {
namespace {

/// A count of a reply; servers write them as int32 and may use any numeric type.
bool take_count(const bson_iter_t& at, std::int32_t& into) {
  const auto value = integer(at);
  if (!value || *value < 0 || *value > std::numeric_limits<std::int32_t>::max()) return false;
  into = static_cast<std::int32_t>(*value);
  return true;
}

}  // namespace

void build(document& into, const update_statement& statement) {
  into.clear();
  append_document(into.get(), "q", statement.filter);
  if (statement.pipeline) {
    append_array(into.get(), "u", statement.change);
  } else {
    append_document(into.get(), "u", statement.change);
  }
  if (statement.multi) bson_append_bool(into.get(), "multi", 5, true);
  if (statement.upsert) bson_append_bool(into.get(), "upsert", 6, true);
}

fault decode(bytes_view document, update_statement& statement) {
  statement = {};
  bson_iter_t at = elements(document);
  while (bson_iter_next(&at)) {
    const auto key = key_of(at);
    if (key == "q" && BSON_ITER_HOLDS_DOCUMENT(&at)) {
      statement.filter = embedded(at);
    } else if (key == "u") {
      statement.change = embedded(at);
      statement.pipeline = BSON_ITER_HOLDS_ARRAY(&at);
    } else if (key == "multi") {
      statement.multi = bson_iter_as_bool(&at);
    } else if (key == "upsert") {
      statement.upsert = bson_iter_as_bool(&at);
    }
  }
  if (statement.filter.empty()) return {errc::remote_bad_value, "q"};
  return statement.change.empty() ? fault{errc::remote_bad_value, "u"} : fault{};
}

void build(document& into, const update_reply& reply) {
  into.clear();
  BSON_APPEND_INT32(into.get(), "n", reply.n);
  BSON_APPEND_INT32(into.get(), "nModified", reply.modified);
  if (!reply.upserted.empty()) append_array(into.get(), "upserted", reply.upserted);
  BSON_APPEND_DOUBLE(into.get(), "ok", 1.0);
}

fault decode(bytes_view body, update_reply& reply) {
  reply = {};
  bool has_n = false;
  bson_iter_t at = elements(body);
  while (!at_end(at)) {
    if (!bson_iter_next(&at)) return {errc::remote_bad_value, "element"};
    const auto key = key_of(at);
    if (key == "n") {
      has_n = take_count(at, reply.n);
    } else if (key == "nModified") {
      if (!take_count(at, reply.modified)) return {errc::remote_bad_value, "nModified"};
    } else if (key == "upserted") {
      reply.upserted = embedded(at);
      if (check_document(reply.upserted)) return {errc::remote_bad_value, "upserted"};
    }
  }
  return has_n ? fault{} : fault{errc::remote_bad_value, "n"};
}

progress update_exchange::start(send_buffer& out) {
  result_ = {};
  return write({.command = "update",
                .identifier = "updates",
                .database = command_.database,
                .collection = command_.collection,
                .entries = command_.statements,
                .allowance_bytes = statement_allowance_bytes,
                .acknowledged = command_.acknowledged},
               out);
}

progress update_exchange::on_frame(bytes_view frame, send_buffer&) {
  const auto answered = take(frame);
  if (!tells(answered)) return answered;
  update_reply counts;
  const fault bad = decode(reply().body, counts);
  const auto upserted = count_elements(counts.upserted);
  result_ = {losses_of(reply(), command_.statements.size()), counts.n - upserted, counts.modified, upserted};
  if (answered == progress::failed) return answered;
  return bad ? fail(bad) : progress::done;
}

}  // namespace codecs::mongo
