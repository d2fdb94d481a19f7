#include "codecs/mongo/op_query.hpp"

namespace codecs::mongo {

fault decode(bytes_view frame, op_query& message) {
  reader in(frame);
  message.request_id = read_header(in, op_code::query).request_id;
  message.flags = in.le<std::int32_t>("flags");
  message.collection = in.cstring("fullCollectionName");
  message.skip = in.le<std::int32_t>("numberToSkip");
  message.to_return = in.le<std::int32_t>("numberToReturn");
  message.query = read_document(in);
  message.fields = in.left() != 0 ? read_document(in) : bytes_view{};
  return in.finish("query");
}

fault encode(send_buffer& out, const op_query& message) {
  const auto bytes =
      header_bytes + 4 + message.collection.size() + 1 + 4 + 4 + message.query.size() + message.fields.size();
  if (bytes > max_message_bytes) return {errc::local_message_too_long, "messageLength"};
  writer to(out);
  write_header(to, {static_cast<std::int32_t>(bytes), message.request_id, 0, op_code::query});
  to.le(message.flags);
  to.cstring(message.collection, "fullCollectionName");
  to.le(message.skip);
  to.le(message.to_return);
  to.bytes(message.query);
  to.bytes(message.fields);
  return to.finish();
}

fault decode(bytes_view frame, op_reply& message) {
  reader in(frame);
  const auto header = read_header(in, op_code::reply);
  message.request_id = header.request_id;
  message.response_to = header.response_to;
  message.flags = in.le<std::int32_t>("responseFlags");
  message.cursor = in.le<std::int64_t>("cursorID");
  message.starting_from = in.le<std::int32_t>("startingFrom");
  message.returned = in.le<std::int32_t>("numberReturned");
  reader documents = in;
  message.documents = in.rest();
  std::int32_t found = 0;
  for (; documents.left() != 0; ++found) read_document(documents);
  if (documents.failed()) return documents.first_fault();
  if (found != message.returned) in.fail(errc::remote_bad_value, "numberReturned");
  return in.finish("documents");
}

fault encode(send_buffer& out, const op_reply& message) {
  const auto bytes = header_bytes + 4 + 8 + 4 + 4 + message.documents.size();
  if (bytes > max_message_bytes) return {errc::local_message_too_long, "messageLength"};
  writer to(out);
  write_header(to,
               {static_cast<std::int32_t>(bytes), message.request_id, message.response_to, op_code::reply});
  to.le(message.flags);
  to.le(message.cursor);
  to.le(message.starting_from);
  to.le(message.returned);
  to.bytes(message.documents);
  return to.finish();
}

}  // namespace codecs::mongo
