#include "codecs/pg/loread_exchange.hpp"

#include <fmt/format.h>

#include <cassert>

namespace codecs::pg {

progress loread_exchange::start(send_buffer& out) {
  assert(sink_ != nullptr);
  asked_ = received_ = 0;
  calls_ = 0;
  landing_.take();
  if (auto refused = begin_series(layout_.chunk_bytes)) return fail(*std::move(refused));
  return go_on(out);
}

progress loread_exchange::on_result(const value& result) {
  const auto landed = landing_.take();
  const auto chunk = landed.empty() ? result.value_or(bytes_view{}) : bytes_view(landed);
  const auto wanted = layout_.size_at(received_);
  if (chunk.size() != wanted) {
    stop(errc::remote_bad_file, place(), fmt::format("has {} bytes and not {}", chunk.size(), wanted));
  } else if (!stopped() && !sink_->put(chunk)) {
    stop(errc::local_payload, place(), sink_->why());
  }
  return progress::more;
}

landing loread_exchange::land(bytes_view unread) {
  // A Z, and the head of the next result.
  const auto behind = head_bytes + 1 + landing_.head_size();
  const auto wanted = layout_.size_at(received_);
  if (stopped() || wanted < value_landing::worth_landing) return {};
  if (answered()) return unread.empty() ? landing{.place = {}, .keep = behind} : landing{};
  return landing_.land(unread, behind,
                       [&](std::size_t size) { return size == wanted ? sink_->place(size) : bytes_span(); });
}

void loread_exchange::on_call_over() {
  received_ += static_cast<std::int64_t>(layout_.size_at(received_));
  --calls_;
}

progress loread_exchange::go_on(send_buffer& out) {
  for (; !stopped() && calls_ < depth_ && asked_ < layout_.file_bytes; ++calls_) {
    const auto size = layout_.size_at(asked_);
    const auto call = large_object::loread(descriptor_, static_cast<std::int32_t>(size));
    if (encode_call(call, out) == progress::failed) return progress::failed;
    asked_ += static_cast<std::int64_t>(size);
  }
  if (calls_ != 0) return progress::more;
  return stopped() ? fail(*stopped()) : progress::done;
}

}  // namespace codecs::pg
