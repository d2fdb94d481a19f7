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
  build_write(body_, "delete", command_.collection, command_.acknowledged);
  return write(body_.view(),
               {.database = command_.database,
                .identifier = "deletes",
                .entries = command_.statements,
                .entry_limit = static_cast<std::size_t>(server().document_bytes) + statement_allowance_bytes,
                .acknowledged = command_.acknowledged},
               out);
}

progress remove_exchange::on_frame(bytes_view frame, send_buffer&) {
  const auto answered = take(frame);
  if (answered == progress::failed && why().cause.code != errc::remote_server_error) return answered;
  result_.removed = reply().n.value_or(0);
  result_.failed = count_elements(reply().write_errors);
  result_.unattempted = count_unattempted(reply(), command_.statements.size());
  result_.write_concern_failed = !reply().write_concern_error.empty();
  if (answered == progress::failed) return answered;
  return reply().n ? progress::done : fail(errc::remote_bad_value, "n");
}

}  // namespace codecs::mongo
