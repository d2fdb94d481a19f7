#include "codecs/pg/lowrite_exchange.hpp"

#include <fmt/format.h>

#include <cassert>

namespace codecs::pg {

progress lowrite_exchange::start(send_buffer& out) {
  assert(source_ != nullptr);
  begin_call();
  stopped_.reset();
  if (auto refused = large_object::refuse_chunk_size(chunk_bytes_)) return fail(*std::move(refused));
  if (session_.status == transaction_status::idle) return fail(large_object::outside_transaction());
  flight_.begin(*source_, chunk_bytes_, depth_ * chunk_bytes_);
  return go_on(out);
}

void lowrite_exchange::begin_call() {
  begin();
  answered_ = false;
}

progress lowrite_exchange::on_frame(bytes_view frame, send_buffer& out) {
  switch (frame[0]) {
    case reply::function_call_response:
      return answered_ || refused() ? unexpected() : on_response(frame);
    case reply::ready_for_query:
      return answered_ || refused() ? on_call_end(frame, out) : unexpected();
    default:
      return on_any_time(frame);
  }
}

progress lowrite_exchange::on_response(bytes_view frame) {
  function_call_response response;
  if (const auto bad = decode(frame, response)) return fail(bad);
  if (!response.result || response.result->size() != sizeof(std::int32_t)) {
    return fail(errc::remote_bad_value, "result");
  }
  answered_ = true;
  const auto written = load_be<std::int32_t>(response.result->data());
  if (static_cast<std::uint32_t>(written) != flight_.oldest_bytes()) {
    stop(errc::remote_server_error, flight_.oldest(),
         fmt::format("{} of {} bytes were written", written, flight_.oldest_bytes()));
  }
  return progress::more;
}

progress lowrite_exchange::on_call_end(bytes_view frame, send_buffer& out) {
  if (const auto bad = take_status(frame)) return fail(bad);
  if (refused()) stop(errc::remote_server_error, flight_.oldest(), why().text);
  flight_.acknowledge();
  begin_call();
  return go_on(out);
}

progress lowrite_exchange::go_on(send_buffer& out) {
  while (!stopped_ && flight_.has_room()) {
    const auto at = flight_.next();
    const auto chunk = flight_.take();
    if (chunk.empty()) {
      stop(errc::local_payload, at, source_->why());
    } else if (encode_call(chunk, out) == progress::failed) {
      auto bad = why();
      bad.out_of_step = flight_.oldest() != at;
      return fail(std::move(bad));
    }
  }
  if (flight_.bytes_in_flight() != 0) return progress::more;
  if (stopped_) return fail(*stopped_);
  if (!source_->intact()) return fail(errc::local_payload, "lowrite", source_->why());
  return progress::done;
}

progress lowrite_exchange::encode_call(bytes_view chunk, send_buffer& out) {
  writer to(out);
  const auto call = large_object::lowrite(descriptor_, chunk);
  encode_function_call(to, call.function, call.arguments);
  return sent(to);
}

// In a failed transaction those behind are refused too (25P02): what counts is the first word.
void lowrite_exchange::stop(errc code, std::int64_t chunk, std::string_view text) {
  if (stopped_) return;
  stopped_ = failure{{code, "lowrite"}, fmt::format("{}: {}", flight_.layout().name(chunk), text)};
}

}  // namespace codecs::pg
