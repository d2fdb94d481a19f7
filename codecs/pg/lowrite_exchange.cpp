#include "codecs/pg/lowrite_exchange.hpp"

#include <fmt/format.h>

#include <cassert>

namespace codecs::pg {

progress lowrite_exchange::start(send_buffer& out) {
  assert(source_ != nullptr);
  if (auto refused = begin_series(static_cast<std::int64_t>(chunk_bytes_))) return fail(*std::move(refused));
  flight_.begin(*source_, chunk_bytes_, depth_ * chunk_bytes_);
  return go_on(out);
}

progress lowrite_exchange::on_result(const value& result) {
  if (!result || result->size() != sizeof(std::int32_t)) return fail(errc::remote_bad_value, "result");
  const auto written = load_be<std::int32_t>(result->data());
  if (static_cast<std::uint32_t>(written) != flight_.oldest_bytes()) {
    stop(errc::remote_server_error, place(),
         fmt::format("{} of {} bytes were written", written, flight_.oldest_bytes()));
  }
  return progress::more;
}

progress lowrite_exchange::go_on(send_buffer& out) {
  while (!stopped() && flight_.has_room()) {
    const auto at = flight_.next();
    const auto chunk = flight_.take();
    if (chunk.empty()) {
      stop(errc::local_payload, flight_.layout().name(at), source_->why());
    } else if (encode_call(large_object::lowrite(descriptor_, chunk), out) == progress::failed) {
      auto bad = why();
      bad.out_of_step = flight_.oldest() != at;
      return fail(std::move(bad));
    }
  }
  if (flight_.bytes_in_flight() != 0) return progress::more;
  if (stopped()) return fail(*stopped());
  if (!source_->intact()) return fail(errc::local_payload, "lowrite", source_->why());
  return progress::done;
}

}  // namespace codecs::pg
