#include "codecs/mongo/insert.hpp"

#include <algorithm>

namespace codecs::mongo {
namespace {

insert_result read_result(const command_reply& reply, std::size_t sent) {
  insert_result result;
  result.written = reply.n.value_or(0);
  result.failed = count_elements(reply.write_errors);
  result.unattempted =
      std::max<std::int64_t>(0, static_cast<std::int64_t>(sent) - result.written - result.failed);
  result.write_concern_failed = !reply.write_concern_error.empty();
  return result;
}

}  // namespace

progress insert_exchange::start(send_buffer& out) {
  result_ = {};
  build_write(body_, "insert", command_.collection, command_.acknowledged);
  return write(body_.view(),
               {.database = command_.database,
                .identifier = "documents",
                .entries = command_.documents,
                .entry_limit = static_cast<std::size_t>(server().document_bytes),
                .acknowledged = command_.acknowledged},
               out);
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
