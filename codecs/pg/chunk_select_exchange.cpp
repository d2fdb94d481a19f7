#include "codecs/pg/chunk_select_exchange.hpp"

namespace codecs::pg {

progress chunk_select_exchange::ask(send_buffer& out) {
  std::uint8_t file[sizeof file_];
  store_be(file, file_);
  const value wanted = bytes_view(file);
  return begin_download(chunk_table::statement::select, {&wanted, 1}, out);
}

}  // namespace codecs::pg
