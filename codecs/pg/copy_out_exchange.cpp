#include "codecs/pg/copy_out_exchange.hpp"

#include "codecs/pg/large_object.hpp"
#include "codecs/pg/query.hpp"
#include "codecs/pg/value_landing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace codecs::pg {

using token = copy_reader::token;

progress copy_out_exchange::start(send_buffer& out) {
  begin_file();
  expected_ = expected::parse_complete;
  reader_ = {};
  begun_ = received_ = 0;
  place_ = {};
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
    if (what == token::more) break;
    if (on_token(what) == progress::failed) return progress::failed;
  }
  place_ = {};
  return progress::more;
}

progress copy_out_exchange::on_token(token what) {
  switch (what) {
    case token::row:
      return reader_.columns() == 1 ? progress::more : fail(errc::remote_bad_value, "field count");
    case token::field:
      if (!stopped()) on_field();
      return progress::more;
    case token::payload:
      if (!stopped()) on_payload();
      return progress::more;
    case token::broken:
      return fail(reader_.bad());
    default:
      return progress::more;
  }
}

landing copy_out_exchange::land(bytes_view unread) {
  constexpr std::size_t row_head = head_bytes + 2 + 4;
  constexpr std::size_t up_to_payload =
      3 * head_bytes + 5 + row_head + copy_head_bytes;  // 1, 2, H, and the first d
  if (stopped() || layout_.size_at(received_) < value_landing::worth_landing) return {};
  if (expected_ != expected::rows) return {.place = {}, .keep = up_to_payload};
  if (unread.size() < head_bytes) return {.place = {}, .keep = row_head - unread.size()};
  if (unread[0] != reply::copy_data) return {};
  const landing up_to_next{.place = {}, .keep = first_size(unread) - unread.size() + row_head};
  auto ahead = reader_;
  if (place_.empty() && !find_payload(unread, ahead)) return up_to_next;
  if (place_.empty()) return {.place = {}, .keep = ahead.wanted()};
  const auto arrived = unread.size() - place_at_;
  return arrived < place_.size() ? landing{.place = place_.subspan(arrived), .keep = row_head} : up_to_next;
}

/// False: this message has no payload that may land. Else `ahead` has taken what there is of it, and where payload comes next there
/// may be a place for it.
bool copy_out_exchange::find_payload(bytes_view unread, copy_reader& ahead) {
  for (auto left = body_of(unread);;) {
    const auto what = ahead.next(left);
    if (what == token::more) break;
    if (what == token::payload || what == token::end || what == token::broken) return false;
  }
  if (ahead.payload_left() == 0) return true;
  const auto size = std::min(ahead.payload_left(), first_size(unread) - unread.size());
  const bool begins = ahead.payload_left() == ahead.size();
  const bool as_expected = ahead.columns() == 1 && (!begins || ahead.size() == layout_.size_at(received_));
  if (!as_expected || size < value_landing::worth_landing) return false;
  place_at_ = unread.size();
  place_ = sink().place(size);
  return !place_.empty();
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
  const auto landed = std::exchange(place_, {});
  if (!put(landed.empty() ? reader_.piece() : landed)) return;
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

}  // namespace codecs::pg
