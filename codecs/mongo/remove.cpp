#include "codecs/mongo/remove.hpp"

namespace codecs::mongo {

void build(document& into, const remove_statement& statement) {
  into.clear();
  append_document(into.get(), "q", statement.filter);
  bson_append_int32(into.get(), "limit", 5, statement.many ? 0 : 1);
}

fault decode(bytes_view document, remove_statement& statement) {
  statement = {};
  std::optional<std::int64_t> limit;
  bson_iter_t at = elements(document);
  while (bson_iter_next(&at)) {
    const auto key = key_of(at);
    if (key == "q" && BSON_ITER_HOLDS_DOCUMENT(&at)) {
      statement.filter = embedded(at);
    } else if (key == "limit") {
      limit = integer(at);
    }
  }
  if (statement.filter.empty()) return {errc::remote_bad_value, "q"};
  if (limit != 0 && limit != 1) return {errc::remote_bad_value, "limit"};
  statement.many = limit == 0;
  return {};
}

progress remove_exchange::start(send_buffer& out) {
  result_ = {};
  return write({.command = "delete",
                .identifier = "deletes",
                .database = command_.database,
                .collection = command_.collection,
                .entries = command_.statements,
                .allowance_bytes = statement_allowance_bytes,
                .acknowledged = command_.acknowledged},
               out);
}

progress remove_exchange::on_frame(bytes_view frame, send_buffer&) {
  const auto answered = take(frame);
  if (!tells(answered)) return answered;
  result_ = {losses_of(reply(), command_.statements.size()), reply().n.value_or(0)};
  if (answered == progress::failed) return answered;
  return reply().n ? progress::done : fail(errc::remote_bad_value, "n");
}

}  // namespace codecs::mongo
