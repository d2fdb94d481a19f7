#include "codecs/pg/execute_exchange.hpp"

#include <cassert>

namespace codecs::pg {

progress execute_exchange::start(send_buffer& out) {
  assert(statement_ != nullptr);
  begin();
  expected_ = expected::bind_complete;
  suspended_ = false;
  const bool rows = !statement_->columns.empty();
  results_.begin(sink_, rows ? static_cast<int>(statement_->columns.size()) : result_reader::no_columns);
  writer to(out);
  encode_bind(to, "", statement_->name, parameters_);
  encode(to, execute{"", max_rows_});
  encode_bare(to, request::sync);
  return sent(to, 3);
}

progress execute_exchange::on_frame(bytes_view frame, send_buffer&) {
  switch (frame[0]) {
    case reply::bind_complete:
      return advance(expected::bind_complete, expected::rows, decode_bare(frame));
    case reply::data_row:
      return expected_ == expected::rows ? settle(results_.on_row(frame)) : unexpected();
    case reply::command_complete:
    case reply::empty_query_response:
    case reply::portal_suspended:
      return expected_ == expected::rows ? on_end(frame) : unexpected();
    default:
      return on_other(frame);
  }
}

progress execute_exchange::on_end(bytes_view frame) {
  expected_ = expected::ready;
  if (frame[0] == reply::command_complete) return settle(results_.on_complete(frame));
  if (frame[0] == reply::empty_query_response) return settle(results_.on_empty(frame));
  if (max_rows_ == 0) return unexpected();
  suspended_ = true;
  return settle(decode_bare(frame));
}

}  // namespace codecs::pg
