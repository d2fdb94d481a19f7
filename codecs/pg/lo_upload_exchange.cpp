#include "codecs/pg/lo_upload_exchange.hpp"

#include "codecs/pg/query.hpp"

#include <fmt/format.h>

#include <array>

namespace codecs::pg {

namespace statement_of = large_object::statement;

namespace {

// The first lo_open of a transaction returns it (newLOfd).
constexpr std::array<std::uint8_t, 4> first_descriptor = {};

/// A row of `count` integers of 4 bytes.
fault read_numbers(bytes_view frame, std::span<std::uint32_t> into) {
  data_row row;
  if (const auto bad = decode(frame, row)) return bad;
  if (row.values.size() != into.size()) return {errc::remote_bad_value, "column count"};
  auto* at = into.data();
  for (const auto each : row.values) {
    if (!each || each->size() != sizeof(std::uint32_t)) return {errc::remote_bad_value, "column"};
    *at++ = load_be<std::uint32_t>(each->data());
  }
  return {};
}

}  // namespace

std::optional<failure> lo_upload_exchange::refuse(const chunk_layout&) const {
  if (session_.status == transaction_status::idle) return {};
  return failure{{errc::local_wrong_state, "transaction"},
                 "the upload is a transaction of its own, and one is open"};
}

std::uint64_t lo_upload_exchange::encode_before(writer& out) {
  object_ = 0;
  std::uint8_t wanted[sizeof wanted_];
  store_be(wanted, wanted_);
  const value object = bytes_view(wanted);
  return encode_execution(out, statement_of::create, {&object, 1});
}

std::uint64_t lo_upload_exchange::encode_chunk(writer& out, std::int64_t, bytes_view chunk) {
  const value parameters[] = {bytes_view(first_descriptor), chunk};
  return encode_execution(out, statement_of::write, parameters);
}

std::uint64_t lo_upload_exchange::encode_after(writer& out) {
  const value descriptor = bytes_view(first_descriptor);
  return encode_execution(out, statement_of::close, {&descriptor, 1});
}

fault lo_upload_exchange::read_answer(step of, bytes_view frame, std::string& wrong) {
  if (of == step::before) return read_created(frame, wrong);
  std::uint32_t number = 0;
  if (const auto bad = read_numbers(frame, {&number, 1})) return bad;
  const auto bytes = of == step::chunks ? flight().oldest_bytes() : 0;  // lo_close returns 0
  if (number != bytes) wrong = fmt::format("the server returned {} and not {}", number, bytes);
  return {};
}

fault lo_upload_exchange::read_created(bytes_view frame, std::string& wrong) {
  std::uint32_t numbers[2] = {};
  if (const auto bad = read_numbers(frame, numbers)) return bad;
  object_ = numbers[0];
  const auto descriptor = static_cast<std::int32_t>(numbers[1]);
  if (wanted_ != 0 && object_ != wanted_) {
    wrong = fmt::format("made object {} and not {}", object_, wanted_);
  } else if (descriptor != 0) {
    wrong = fmt::format("the descriptor is {} and not 0", descriptor);
  }
  return {};
}

}  // namespace codecs::pg
