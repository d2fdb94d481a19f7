#include "codecs/pg/chunk_insert_exchange.hpp"

#include <fmt/format.h>

namespace codecs::pg {

std::uint64_t chunk_insert_exchange::encode_chunk(writer& out, std::int64_t offset, bytes_view chunk) {
  std::uint8_t file[sizeof file_];
  std::uint8_t n[4];
  store_be(file, file_);
  store_be(n, static_cast<std::int32_t>(offset / flight().layout().chunk_bytes));
  const value parameters[] = {bytes_view(file), bytes_view(n), chunk};
  return encode_execution(out, chunk_table::statement::insert, parameters);
}

void chunk_insert_exchange::read_tag(step, std::string_view tag, std::string& wrong) {
  if (tag != "INSERT 0 1") wrong = fmt::format("the server answered {}", tag);
}

}  // namespace codecs::pg
