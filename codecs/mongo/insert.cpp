#include "codecs/mongo/insert.hpp"

#include <algorithm>

namespace codecs::mongo {
namespace {

// Every document was written, has failed or was not attempted: that holds for replies without an index, too.
insert_result read_result(const command_reply& reply, std::size_t sent) {
  insert_result result{losses_of(reply, sent), reply.n.value_or(0)};
  result.unattempted =
      std::max<std::int64_t>(0, static_cast<std::int64_t>(sent) - result.written - result.failed);
  return result;
}

}  // namespace

progress insert_exchange::start(send_buffer& out) {
  result_ = {};
  return write({.command = "insert",
                .identifier = "documents",
                .database = command_.database,
                .collection = command_.collection,
                .entries = command_.documents,
                .allowance_bytes = 0,
                .acknowledged = command_.acknowledged},
               out);
}

progress insert_exchange::on_frame(bytes_view frame, send_buffer&) {
  const auto answered = take(frame);
  if (!tells(answered)) return answered;
  result_ = read_result(reply(), command_.documents.size());
  if (answered == progress::failed) return answered;
  const bool all = reply().n == static_cast<std::int64_t>(command_.documents.size());
  return all ? progress::done : fail(errc::remote_bad_value, "n");
}

}  // namespace codecs::mongo
