#include "codecs/pg/function_call_exchange.hpp"

#include <algorithm>

namespace codecs::pg {

// Below this a copy is cheaper than the read that brings the head alone.
constexpr std::size_t worth_landing = 4096;

constexpr std::size_t result_head_bytes = head_bytes + 4;
constexpr std::size_t ready_for_query_bytes = head_bytes + 1;

progress function_call_exchange::start(send_buffer& out) {
  begin();
  answered_ = false;
  landed_ = false;
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
  if (!landed_) std::ranges::copy(*response.result, room_.begin());
  result_ = room_.first(response.result->size());
  return progress::more;
}

/// What is refused when its frame is whole, and what came along with its head, does not land.
landing function_call_exchange::land(bytes_view unread) {
  if (answered_ || room_.size() < worth_landing) return {};
  if (unread.empty()) return {.place = {}, .keep = result_head_bytes};
  if (unread[0] != reply::function_call_response) return {};
  if (unread.size() < result_head_bytes) return {.place = {}, .keep = result_head_bytes - unread.size()};
  const std::size_t length = load_be<std::uint32_t>(unread.data() + 1);
  const std::size_t size =
      load_be<std::uint32_t>(unread.data() + head_bytes);  // NULL is larger than any room
  const auto arrived = unread.size() - result_head_bytes;
  if (size > room_.size() || length != 4 + 4 + size || (arrived != 0 && !landed_)) return {};
  landed_ = true;
  return {.place = room_.subspan(arrived, size - arrived), .keep = ready_for_query_bytes};
}

std::int64_t function_call_exchange::number() const {
  if (!result_) return 0;
  if (result_->size() == 4) return load_be<std::int32_t>(result_->data());
  return result_->size() == 8 ? load_be<std::int64_t>(result_->data()) : 0;
}

}  // namespace codecs::pg
