#include "codecs/pg/query_exchange.hpp"

namespace codecs::pg {

progress query_exchange::start(send_buffer& out) {
  begin();
  answered_ = false;
  results_.begin(sink_, result_reader::no_columns);
  writer to(out);
  encode(to, query{text_});
  return sent(to);
}

progress query_exchange::on_frame(bytes_view frame, send_buffer&) {
  fault bad;
  switch (frame[0]) {
    case reply::row_description:
      bad = results_.on_columns(frame);
      break;
    case reply::data_row:
      bad = results_.on_row(frame);
      break;
    case reply::command_complete:
      return on_end_of_result(results_.on_complete(frame));
    case reply::empty_query_response:
      return on_end_of_result(results_.on_empty(frame));
    case reply::error_response:
      results_.begin(sink_, result_reader::no_columns);
      return on_any_time(frame);
    case reply::ready_for_query:
      return answered_ || refused() ? on_ready(frame) : unexpected();
    case reply::copy_in_response:
    case reply::copy_out_response:
    case reply::copy_both_response:
      return fail(errc::remote_unsupported, "query", "the server starts COPY, which comes later");
    default:
      return on_any_time(frame);
  }
  return settle(bad);
}

progress query_exchange::on_end_of_result(fault bad) {
  answered_ = true;
  results_.begin(sink_, result_reader::no_columns);
  return settle(bad);
}

}  // namespace codecs::pg
