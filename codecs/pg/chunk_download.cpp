#include "codecs/pg/chunk_download.hpp"

#include "codecs/pg/large_object.hpp"

#include <fmt/format.h>

namespace codecs::pg {

progress chunk_download::start(send_buffer& out) {
  received_ = 0;
  if (auto refused = large_object::refuse_chunk_size(layout_.chunk_bytes)) return fail(*std::move(refused));
  return ask(out);
}

void chunk_download::on_value(const value& what) {
  const auto chunk = what.value_or(bytes_view{});
  const auto wanted = layout_.size_at(received_);
  if (wanted == 0) {
    stop(errc::remote_bad_file, "is behind the last one");
  } else if (chunk.size() != wanted) {
    stop(errc::remote_bad_file, fmt::format("has {} bytes and not {}", chunk.size(), wanted));
  } else if (put(chunk)) {
    received_ += static_cast<std::int64_t>(wanted);
  }
}

void chunk_download::on_last_row() {
  if (received_ != layout_.file_bytes) stop(errc::remote_bad_file, "did not come");
}

}  // namespace codecs::pg
