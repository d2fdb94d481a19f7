#include "codecs/pg/function_call_exchange.hpp"

#include <algorithm>

namespace codecs::pg {

constexpr std::size_t ready_for_query_bytes = head_bytes + 1;

progress function_call_exchange::start(send_buffer& out) {
  begin();
  answered_ = false;
  landing_.take();
  result_.reset();
  if (session_.status == transaction_status::idle && large_object::needs_transaction(function_)) {
    return fail(large_object::outside_transaction());
  }
  writer to(out);
  encode_function_call(to, function_, arguments_);
  return sent(to);
}

progress function_call_exchange::on_frame(bytes_view frame, send_buffer&) {
  switch (frame[0]) {
    case reply::function_call_response:
      return answered_ || refused() ? unexpected() : on_response(frame);
    case reply::ready_for_query:
      return answered_ || refused() ? on_ready(frame) : unexpected();
    default:
      return on_any_time(frame);
  }
}

progress function_call_exchange::on_response(bytes_view frame) {
  function_call_response response;
  if (const auto bad = decode(frame, response)) return fail(bad);
  answered_ = true;
  if (!response.result) return progress::more;
  if (response.result->size() > room_.size()) return fail(errc::remote_bad_length, "result");
  if (landing_.take().empty()) std::ranges::copy(*response.result, room_.begin());
  result_ = room_.first(response.result->size());
  return progress::more;
}

/// What is refused when its frame is whole does not land.
landing function_call_exchange::land(bytes_view unread) {
  if (answered_ || room_.size() < value_landing::worth_landing) return {};
  return landing_.land(unread, ready_for_query_bytes, [this](std::size_t size) {
    return size <= room_.size() ? room_.first(size) : bytes_span();
  });
}

std::int64_t function_call_exchange::number() const {
  if (!result_) return 0;
  if (result_->size() == 4) return load_be<std::int32_t>(result_->data());
  return result_->size() == 8 ? load_be<std::int64_t>(result_->data()) : 0;
}

}  // namespace codecs::pg
