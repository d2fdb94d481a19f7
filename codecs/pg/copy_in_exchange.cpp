#include "codecs/pg/copy_in_exchange.hpp"

#include "codecs/pg/copy.hpp"

#include <fmt/format.h>

namespace codecs::pg {

constexpr std::size_t columns = 3;

std::uint64_t copy_in_exchange::encode_before(writer&) {
  copying_ = false;
  return 0;
}

std::uint64_t copy_in_exchange::encode_chunk(writer& out, std::int64_t offset, bytes_view chunk) {
  std::uint8_t file[sizeof file_];
  std::uint8_t n[4];
  store_be(file, file_);
  store_be(n, static_cast<std::int32_t>(offset / flight().layout().chunk_bytes));
  const auto begun = copying_ ? 0 : encode_execution(out, chunk_table::statement::copy_in, {});
  const auto length = begin_message(out, request::copy_data);
  if (!copying_) write_copy_head(out);
  copying_ = true;
  const value row[columns] = {bytes_view(file), bytes_view(n), chunk};
  write_values(out, row);
  end_message(out, length, max_large_request);
  return begun + 1;
}

std::uint64_t copy_in_exchange::end_batch(writer& out) {
  copying_ = false;
  encode_copy_trailer(out);
  encode_bare(out, request::copy_done);
  return 2;
}

std::uint64_t copy_in_exchange::encode_undo(writer& out) {
  if (!copying_) return chunk_upload::encode_undo(out);
  encode(out, copy_fail{"the source has failed"});
  return 1;
}

fault copy_in_exchange::read_answer(step, bytes_view frame, std::string&) {
  copy_response response;
  if (const auto bad = decode(frame, response)) return bad;
  const bool good = response.all == format::binary && response.columns.size() == columns;
  return good ? fault{} : fault{errc::remote_bad_value, "COPY format"};
}

void copy_in_exchange::read_tag(step, std::string_view tag, std::string& wrong) {
  const auto chunks = chunks_of_execution();
  if (tag != fmt::format("COPY {}", chunks))
    wrong = fmt::format("the server answered {} to {} chunks", tag, chunks);
}

}  // namespace codecs::pg
