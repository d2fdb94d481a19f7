#include "codecs/pg/lo_get_exchange.hpp"

namespace codecs::pg {

progress lo_get_exchange::ask(send_buffer& out) {
  std::uint8_t object[4];
  std::uint8_t step[8];
  std::uint8_t size[4];
  std::uint8_t last[8];
  store_be(object, object_);
  store_be(step, layout().chunk_bytes);
  store_be(size, static_cast<std::int32_t>(layout().chunk_bytes));
  store_be(last, layout().count() - 1);
  const value parameters[] = {bytes_view(object), bytes_view(step), bytes_view(size), bytes_view(last)};
  return begin_download(large_object::statement::get, parameters, out);
}

}  // namespace codecs::pg
