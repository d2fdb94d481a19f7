#include "codecs/pg/bytea_get_exchange.hpp"

#include <fmt/format.h>

namespace codecs::pg {

progress bytea_get_exchange::start(send_buffer& out) {
  came_ = false;
  std::uint8_t key[sizeof key_];
  store_be(key, key_);
  const value row = bytes_view(key);
  return begin_download(bytea_row::statement::get, {&row, 1}, out);
}

void bytea_get_exchange::on_value(const value& what) {
  if (came_) return stop(errc::remote_bad_file, "is there twice");
  came_ = true;
  if (!what) return stop(errc::remote_bad_file, "is NULL");
  put(*what);
}

void bytea_get_exchange::on_last_row() {
  if (!came_) stop(errc::remote_bad_file, "is not there");
}

std::string bytea_get_exchange::place() const {
  return fmt::format("row {}", key_);
}

}  // namespace codecs::pg
