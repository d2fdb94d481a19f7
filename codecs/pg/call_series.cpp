#include "codecs/pg/call_series.hpp"

#include <fmt/format.h>

namespace codecs::pg {

std::optional<failure> call_series::begin_series(std::int64_t chunk_bytes) {
  begin_call();
  stopped_.reset();
  if (auto refused = large_object::refuse_chunk_size(chunk_bytes)) return refused;
  if (session_.status == transaction_status::idle) return large_object::outside_transaction();
  return {};
}

void call_series::begin_call() {
  begin();
  answered_ = false;
}

progress call_series::on_frame(bytes_view frame, send_buffer& out) {
  switch (frame[0]) {
    case reply::function_call_response:
      return answered_ || refused() ? unexpected() : on_response(frame);
    case reply::ready_for_query:
      return answered_ || refused() ? on_call_end(frame, out) : unexpected();
    default:
      return on_any_time(frame);
  }
}

progress call_series::on_response(bytes_view frame) {
  function_call_response response;
  if (const auto bad = decode(frame, response)) return fail(bad);
  answered_ = true;
  return on_result(response.result);
}

progress call_series::on_call_end(bytes_view frame, send_buffer& out) {
  if (const auto bad = take_status(frame)) return fail(bad);
  if (refused()) stop(errc::remote_server_error, place(), why().text);
  on_call_over();
  begin_call();
  return go_on(out);
}

progress call_series::encode_call(const large_object::call& call, send_buffer& out) {
  writer to(out);
  encode_function_call(to, call.function, call.arguments);
  return sent(to);
}

// In a failed transaction those behind are refused too (25P02): what counts is the first word.
void call_series::stop(errc code, std::string_view place, std::string_view text) {
  if (!stopped_) stopped_ = failure{{code, function_}, fmt::format("{}: {}", place, text)};
}

}  // namespace codecs::pg
