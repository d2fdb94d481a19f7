#include "codecs/pg/lo_get_exchange.hpp"

#include "codecs/pg/query.hpp"

#include <fmt/format.h>

#include <cassert>

namespace codecs::pg {
namespace {

/// The parameters of large_object::statement::get.
struct get_parameters {
  get_parameters(oid object, const chunk_layout& layout) {
    store_be(object_, object);
    store_be(step_, layout.chunk_bytes);
    store_be(size_, static_cast<std::int32_t>(layout.chunk_bytes));
    store_be(last_, layout.count() - 1);
  }

  std::span<const value> values() const { return values_; }

 private:
  std::uint8_t object_[4];
  std::uint8_t step_[8];
  std::uint8_t size_[4];
  std::uint8_t last_[8];
  const value values_[4] = {bytes_view(object_), bytes_view(step_), bytes_view(size_), bytes_view(last_)};
};

}  // namespace

progress lo_get_exchange::start(send_buffer& out) {
  assert(sink_ != nullptr);
  begin();
  expected_ = expected::bind_complete;
  received_ = 0;
  stopped_.reset();
  if (auto refused = large_object::refuse_chunk_size(layout_.chunk_bytes)) return fail(*std::move(refused));
  const get_parameters parameters(object_, layout_);
  writer to(out);
  encode_bind(to, "", large_object::statement::get.name, parameters.values());
  encode(to, execute{});
  encode_bare(to, request::sync);
  return sent(to, 3);
}

progress lo_get_exchange::on_frame(bytes_view frame, send_buffer&) {
  switch (frame[0]) {
    case reply::bind_complete:
      return advance(expected::bind_complete, expected::rows, decode_bare(frame));
    case reply::data_row:
      return expected_ == expected::rows ? on_row(frame) : unexpected();
    case reply::command_complete:
      return expected_ == expected::rows ? on_complete(frame) : unexpected();
    case reply::error_response:
      return on_refused(frame);
    case reply::ready_for_query:
      return on_end(frame);
    default:
      return on_other(frame);
  }
}

progress lo_get_exchange::on_row(bytes_view frame) {
  data_row row;
  if (const auto bad = decode(frame, row)) return fail(bad);
  if (row.values.size() != 1) return fail(errc::remote_bad_value, "column count");
  if (stopped_) return progress::more;
  const auto chunk = (*row.values.begin()).value_or(bytes_view{});
  const auto wanted = layout_.size_at(received_);
  if (wanted == 0) {
    stop(errc::remote_bad_file, "is behind the last one");
  } else if (chunk.size() != wanted) {
    stop(errc::remote_bad_file, fmt::format("has {} bytes and not {}", chunk.size(), wanted));
  } else if (!sink_->put(chunk)) {
    stop(errc::local_payload, sink_->why());
  } else {
    received_ += static_cast<std::int64_t>(wanted);
  }
  return progress::more;
}

progress lo_get_exchange::on_complete(bytes_view frame) {
  command_complete complete;
  if (const auto bad = decode(frame, complete)) return fail(bad);
  expected_ = expected::ready;
  if (received_ != layout_.file_bytes) stop(errc::remote_bad_file, "did not come");
  return progress::more;
}

progress lo_get_exchange::on_refused(bytes_view frame) {
  const auto how = on_other(frame);
  if (how != progress::failed) stop(errc::remote_server_error, why().text);
  return how;
}

progress lo_get_exchange::on_end(bytes_view frame) {
  if (expected_ != expected::ready) return unexpected();
  if (const auto bad = take_status(frame)) return fail(bad);
  return stopped_ ? fail(*stopped_) : progress::done;
}

void lo_get_exchange::stop(errc code, std::string_view text) {
  if (!stopped_) stopped_ = failure{{code, "lo_get"}, fmt::format("{}: {}", layout_.name(received_), text)};
}

}  // namespace codecs::pg
