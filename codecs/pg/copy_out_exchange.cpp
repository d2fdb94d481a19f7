#include "codecs/pg/copy_out_exchange.hpp"

#include "codecs/pg/large_object.hpp"
#include "codecs/pg/query.hpp"

#include <fmt/format.h>

#include <cassert>

namespace codecs::pg {

using token = copy_reader::token;

progress copy_out_exchange::start(send_buffer& out) {
  assert(sink_ != nullptr);
  begin();
  expected_ = expected::parse_complete;
  reader_ = {};
  begun_ = received_ = 0;
  stopped_.reset();
  if (auto refused = large_object::refuse_chunk_size(layout_.chunk_bytes)) return fail(*std::move(refused));
  writer to(out);
  encode_parse(to, "", chunk_table::copy_out(file_));
  encode_bind(to, "", "", {});
  encode(to, execute{});
  encode_bare(to, request::sync);
  return sent(to, 4);
}

progress copy_out_exchange::on_frame(bytes_view frame, send_buffer&) {
  switch (frame[0]) {
    case reply::parse_complete:
      return advance(expected::parse_complete, expected::bind_complete, decode_bare(frame));
    case reply::bind_complete:
      return advance(expected::bind_complete, expected::columns, decode_bare(frame));
    case reply::copy_out_response:
      return expected_ == expected::columns ? on_begin(frame) : unexpected();
    case reply::copy_data:
      return expected_ == expected::rows ? on_data(body_of(frame)) : unexpected();
    case reply::copy_done:
      return expected_ == expected::rows ? on_done(frame) : unexpected();
    case reply::command_complete:
      return expected_ == expected::complete ? on_complete(frame) : unexpected();
    case reply::error_response:
      return on_refused(frame);
    case reply::ready_for_query:
      return on_end(frame);
    default:
      return on_other(frame);
  }
}

progress copy_out_exchange::on_begin(bytes_view frame) {
  copy_response response;
  if (const auto bad = decode(frame, response)) return fail(bad);
  expected_ = expected::rows;
  const bool good = response.all == format::binary && response.columns.size() == 1;
  return good ? progress::more : fail(errc::remote_bad_value, "COPY format");
}

progress copy_out_exchange::on_data(bytes_view data) {
  while (true) {
    const auto what = reader_.next(data);
    if (what == token::more) return progress::more;
    if (on_token(what) == progress::failed) return progress::failed;
  }
}

progress copy_out_exchange::on_token(token what) {
  switch (what) {
    case token::row:
      return reader_.columns() == 1 ? progress::more : fail(errc::remote_bad_value, "field count");
    case token::field:
      if (!stopped_) on_field();
      return progress::more;
    case token::payload:
      if (!stopped_) on_payload();
      return progress::more;
    case token::broken:
      return fail(reader_.bad());
    default:
      return progress::more;
  }
}

void copy_out_exchange::on_field() {
  begun_ = received_;
  const auto wanted = layout_.size_at(received_);
  if (wanted == 0) {
    stop(errc::remote_bad_file, "is behind the last one");
  } else if (reader_.size() != wanted) {
    stop(errc::remote_bad_file, fmt::format("has {} bytes and not {}", reader_.size(), wanted));
  }
}

void copy_out_exchange::on_payload() {
  if (!sink_->put(reader_.piece())) return stop(errc::local_payload, sink_->why());
  received_ += static_cast<std::int64_t>(reader_.piece().size());
  if (reader_.payload_left() == 0) begun_ = received_;
}

progress copy_out_exchange::on_done(bytes_view frame) {
  if (const auto bad = decode_bare(frame)) return fail(bad);
  if (!reader_.at_end()) return fail(errc::remote_truncated, "COPY data");
  expected_ = expected::complete;
  return progress::more;
}

progress copy_out_exchange::on_complete(bytes_view frame) {
  command_complete complete;
  if (const auto bad = decode(frame, complete)) return fail(bad);
  expected_ = expected::ready;
  if (received_ != layout_.file_bytes) stop(errc::remote_bad_file, "did not come");
  return progress::more;
}

progress copy_out_exchange::on_refused(bytes_view frame) {
  const auto how = on_other(frame);
  if (how != progress::failed) stop(errc::remote_server_error, why().text);
  return how;
}

progress copy_out_exchange::on_end(bytes_view frame) {
  if (expected_ != expected::ready) return unexpected();
  if (const auto bad = take_status(frame)) return fail(bad);
  return stopped_ ? fail(*stopped_) : progress::done;
}

void copy_out_exchange::stop(errc code, std::string_view text) {
  if (!stopped_) stopped_ = failure{{code, "copy"}, fmt::format("{}: {}", layout_.name(begun_), text)};
}

}  // namespace codecs::pg
