#include "codecs/pg/loread_exchange.hpp"

#include <fmt/format.h>

#include <cassert>

namespace codecs::pg {

progress loread_exchange::start(send_buffer& out) {
  assert(sink_ != nullptr);
  begin_call();
  asked_ = received_ = 0;
  calls_ = 0;
  stopped_.reset();
  if (auto refused = large_object::refuse_chunk_size(layout_.chunk_bytes)) return fail(*std::move(refused));
  if (session_.status == transaction_status::idle) return fail(large_object::outside_transaction());
  return go_on(out);
}

void loread_exchange::begin_call() {
  begin();
  answered_ = false;
}

progress loread_exchange::on_frame(bytes_view frame, send_buffer& out) {
  switch (frame[0]) {
    case reply::function_call_response:
      return answered_ || refused() ? unexpected() : on_response(frame);
    case reply::ready_for_query:
      return answered_ || refused() ? on_call_end(frame, out) : unexpected();
    default:
      return on_any_time(frame);
  }
}

progress loread_exchange::on_response(bytes_view frame) {
  function_call_response response;
  if (const auto bad = decode(frame, response)) return fail(bad);
  answered_ = true;
  const auto chunk = response.result.value_or(bytes_view{});
  const auto wanted = layout_.size_at(received_);
  if (chunk.size() != wanted) {
    stop(errc::remote_bad_file, fmt::format("has {} bytes and not {}", chunk.size(), wanted));
  } else if (!stopped_ && !sink_->put(chunk)) {
    stop(errc::local_payload, sink_->why());
  }
  return progress::more;
}

progress loread_exchange::on_call_end(bytes_view frame, send_buffer& out) {
  if (const auto bad = take_status(frame)) return fail(bad);
  if (refused()) stop(errc::remote_server_error, why().text);
  received_ += static_cast<std::int64_t>(layout_.size_at(received_));
  --calls_;
  begin_call();
  return go_on(out);
}

progress loread_exchange::go_on(send_buffer& out) {
  for (; !stopped_ && calls_ < depth_ && asked_ < layout_.file_bytes; ++calls_) {
    const auto size = layout_.size_at(asked_);
    writer to(out);
    const auto call = large_object::loread(descriptor_, static_cast<std::int32_t>(size));
    encode_function_call(to, call.function, call.arguments);
    if (sent(to) == progress::failed) return progress::failed;
    asked_ += static_cast<std::int64_t>(size);
  }
  if (calls_ != 0) return progress::more;
  return stopped_ ? fail(*stopped_) : progress::done;
}

// In a failed transaction those behind are refused too (25P02): what counts is the first word.
void loread_exchange::stop(errc code, std::string_view text) {
  if (!stopped_) stopped_ = failure{{code, "loread"}, fmt::format("{}: {}", layout_.name(received_), text)};
}

}  // namespace codecs::pg
