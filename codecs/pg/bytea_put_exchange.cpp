#include "codecs/pg/bytea_put_exchange.hpp"

#include "codecs/pg/query.hpp"

#include <fmt/format.h>

#include <cassert>

namespace codecs::pg {

// The largest file: its message holds little more.
constexpr std::int64_t max_file_bytes = max_large_request - 64;

progress bytea_put_exchange::start(send_buffer& out) {
  assert(source_ != nullptr);
  begin();
  expected_ = expected::bind_complete;
  const auto size = source_->size();
  if (size > max_file_bytes) {
    return fail(errc::local_message_too_long, "file size",
                fmt::format("{} bytes; a row holds up to {}", size, max_file_bytes));
  }
  const auto file = size == 0 ? bytes_view{} : source_->take(static_cast<std::size_t>(size));
  if (static_cast<std::int64_t>(file.size()) != size)
    return fail(errc::local_payload, "bytea", source_->why());
  std::uint8_t key[sizeof key_];
  store_be(key, key_);
  const value parameters[] = {bytes_view(key), file};
  writer to(out);
  encode_bind(to, "", bytea_row::statement::put.name, parameters);
  encode(to, execute{});
  encode_bare(to, request::sync);
  return sent(to, 3);
}

progress bytea_put_exchange::on_frame(bytes_view frame, send_buffer&) {
  switch (frame[0]) {
    case reply::bind_complete:
      return advance(expected::bind_complete, expected::complete, decode_bare(frame));
    case reply::command_complete:
      return expected_ == expected::complete ? on_complete(frame) : unexpected();
    case reply::ready_for_query:
      return expected_ == expected::ready ? on_end(frame) : unexpected();
    default:
      return on_other(frame);
  }
}

progress bytea_put_exchange::on_complete(bytes_view frame) {
  command_complete complete;
  if (const auto bad = decode(frame, complete)) return fail(bad);
  if (complete.tag != "INSERT 0 1") return fail(errc::remote_bad_value, "command tag", complete.tag);
  expected_ = expected::ready;
  if (source_->size() != 0) source_->release();
  return progress::more;
}

progress bytea_put_exchange::on_end(bytes_view frame) {
  const auto how = on_ready(frame);
  if (how != progress::done || source_->intact()) return how;
  return fail(errc::local_payload, "bytea", source_->why());
}

}  // namespace codecs::pg
