#include "codecs/pg/row_download.hpp"

#include "codecs/pg/query.hpp"

namespace codecs::pg {

progress row_download::begin_download(const named_statement& what, std::span<const value> parameters,
                                      send_buffer& out) {
  begin_file();
  expected_ = expected::bind_complete;
  landing_.take();
  writer to(out);
  encode_bind(to, "", what.name, parameters);
  encode(to, execute{});
  encode_bare(to, request::sync);
  return sent(to, 3);
}

progress row_download::on_frame(bytes_view frame, send_buffer&) {
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

progress row_download::on_row(bytes_view frame) {
  data_row row;
  if (const auto bad = decode(frame, row)) return fail(bad);
  if (row.values.size() != 1) return fail(errc::remote_bad_value, "column count");
  const auto landed = landing_.take();
  if (!stopped()) on_value(landed.empty() ? *row.values.begin() : value(landed));
  return progress::more;
}

landing row_download::land(bytes_view unread) {
  const auto next = expected_size();
  if (stopped() || next < value_landing::worth_landing) return {};
  if (expected_ == expected::bind_complete) {
    const auto first = head_bytes + landing_.head_size();
    return unread.size() < first ? landing{.place = {}, .keep = first - unread.size()} : landing{};
  }
  if (expected_ != expected::rows) return {};
  return landing_.land(unread, landing_.head_size(), [&](std::size_t size) {
    return size == next || next == any_size ? sink().place(size) : bytes_span();
  });
}

progress row_download::on_complete(bytes_view frame) {
  command_complete complete;
  if (const auto bad = decode(frame, complete)) return fail(bad);
  expected_ = expected::ready;
  on_last_row();
  return progress::more;
}

}  // namespace codecs::pg
