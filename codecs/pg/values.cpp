#include "codecs/pg/values.hpp"

#include <limits>

namespace codecs::pg {

// Below this size the bookkeeping of a borrowed segment costs more than the copy, whatever the strategy.
constexpr std::size_t payload_bytes = 64;

format_list format_list::read(reader& in, const char* field) {
  format_list list;
  list.codes_ = integer_list<std::int16_t>::read(in, field);
  for (std::size_t i = 0; i < list.codes_.size(); ++i) {
    if (list.codes_[i] != 0 && list.codes_[i] != 1) in.fail(errc::remote_bad_value, field);
  }
  return list;
}

value read_value(reader& in, const char* field) {
  const auto size = in.be<std::int32_t>(field);
  if (size >= 0) return in.bytes(static_cast<std::size_t>(size), field);
  if (size != -1) in.fail(errc::remote_bad_value, field);
  return {};
}

value_list value_list::read(reader& in, const char* field) {
  const std::size_t count = in.be<std::uint16_t>(field);
  const auto* first = in.bytes(0, field).data();
  for (std::size_t i = 0; i < count && !in.failed(); ++i) read_value(in, field);
  return in.failed() ? value_list() : value_list(first, count);
}

void write_value(writer& out, const value& what) {
  if (!what) return out.be(std::int32_t{-1});
  if (what->size() > std::numeric_limits<std::int32_t>::max()) {
    return out.fail(errc::local_message_too_long, "value length");
  }
  out.be(static_cast<std::int32_t>(what->size()));
  what->size() < payload_bytes ? out.bytes(*what) : out.refer(*what);
}

void write_values(writer& out, std::span<const value> values) {
  if (values.size() > max_list_size) return out.fail(errc::local_too_many_parameters, "parameter count");
  out.be(static_cast<std::uint16_t>(values.size()));
  for (const auto& each : values) write_value(out, each);
}

void write_format(writer& out, format all) {
  out.be(std::int16_t{1});
  out.be(static_cast<std::int16_t>(all));
}

}  // namespace codecs::pg
