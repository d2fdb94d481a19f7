#include "codecs/pg/lo_put_exchange.hpp"

#include "codecs/pg/query.hpp"

namespace codecs::pg {

std::uint64_t lo_put_exchange::encode_chunk(writer& out, std::int64_t offset, bytes_view chunk) {
  std::uint8_t object[sizeof object_];
  std::uint8_t place[sizeof offset_];
  store_be(object, object_);
  store_be(place, offset_ + offset);
  const value parameters[] = {bytes_view(object), bytes_view(place), chunk};
  return encode_execution(out, large_object::statement::put, parameters);
}

/// One column of type void, which has no bytes.
fault lo_put_exchange::read_answer(step, bytes_view frame, std::string&) {
  data_row row;
  if (const auto bad = decode(frame, row)) return bad;
  if (row.values.size() != 1) return {errc::remote_bad_value, "column count"};
  const auto nothing = *row.values.begin();
  return nothing && nothing->empty() ? fault{} : fault{errc::remote_bad_value, "column"};
}

}  // namespace codecs::pg
