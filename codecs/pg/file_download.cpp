#include "codecs/pg/file_download.hpp"

#include <fmt/format.h>

#include <cassert>

namespace codecs::pg {

void file_download::begin_file() {
  assert(sink_ != nullptr);
  begin();
  stopped_.reset();
}

bool file_download::put(bytes_view piece) {
  if (sink_->put(piece)) return true;
  stop(errc::local_payload, sink_->why());
  return false;
}

void file_download::stop(errc code, std::string_view text) {
  if (!stopped_) stopped_ = failure{{code, name_}, fmt::format("{}: {}", place(), text)};
}

progress file_download::on_refused(bytes_view frame) {
  const auto how = on_other(frame);
  if (how != progress::failed) stop(errc::remote_server_error, why().text);
  return how;
}

progress file_download::on_end(bytes_view frame) {
  if (expected_ != expected::ready) return unexpected();
  if (const auto bad = take_status(frame)) return fail(bad);
  return stopped_ ? fail(*stopped_) : progress::done;
}

}  // namespace codecs::pg
