#include "codecs/pg/query.hpp"

namespace codecs::pg {
namespace {

// table 4, attribute 2, type 4, type size 2, modifier 4, format 2
constexpr std::size_t after_name_bytes = 18;

column read_column(reader& in) {
  column read;
  read.name = in.cstring("column name");
  const auto* fields = in.bytes(after_name_bytes, "column").data();
  if (fields == nullptr) return read;
  read.table = load_be<oid>(fields);
  read.attribute = load_be<std::int16_t>(fields + 4);
  read.type = load_be<oid>(fields + 6);
  read.type_size = load_be<std::int16_t>(fields + 10);
  read.modifier = load_be<std::int32_t>(fields + 12);
  read.encoding = static_cast<format>(load_be<std::int16_t>(fields + 16));
  if (read.encoding != format::text && read.encoding != format::binary) {
    in.fail(errc::remote_bad_value, "column format");
  }
  return read;
}

void write_column(writer& out, const column& what) {
  out.cstring(what.name, "column name");
  out.be(what.table);
  out.be(what.attribute);
  out.be(what.type);
  out.be(what.type_size);
  out.be(what.modifier);
  out.be(static_cast<std::int16_t>(what.encoding));
}

}  // namespace

void encode(writer& out, const query& message) {
  const auto length = begin_message(out, request::query);
  out.cstring(message.text, "query");
  end_message(out, length, max_large_request);
}

fault decode(bytes_view frame, query& into) {
  reader in(body_of(frame));
  into.text = in.cstring("query");
  return in.finish("Query");
}

row_description::iterator::iterator(bytes_view rest, std::size_t left) : rest_(rest), left_(left) {
  take();
}

row_description::iterator& row_description::iterator::operator++() {
  --left_;
  take();
  return *this;
}

void row_description::iterator::take() {
  if (left_ == 0) return;
  reader in(rest_);
  current_ = read_column(in);
  rest_ = in.rest();
}

row_description row_description::read(reader& in) {
  row_description read;
  read.size_ = in.be<std::uint16_t>("column count");
  reader columns = in;
  for (std::size_t i = 0; i < read.size_ && !in.failed(); ++i) read_column(in);
  if (in.failed()) return {};
  read.columns_ = columns.bytes(columns.left() - in.left(), "columns");
  return read;
}

void encode_row_description(writer& out, std::span<const column> columns) {
  if (columns.size() > max_list_size) return out.fail(errc::local_too_many_parameters, "column count");
  const auto length = begin_message(out, reply::row_description);
  out.be(static_cast<std::uint16_t>(columns.size()));
  for (const auto& each : columns) write_column(out, each);
  end_message(out, length, max_large_reply);
}

fault decode(bytes_view frame, row_description& into) {
  reader in(body_of(frame));
  into = row_description::read(in);
  return in.finish("RowDescription");
}

void encode_data_row(writer& out, std::span<const value> values) {
  const auto length = begin_message(out, reply::data_row);
  write_values(out, values);
  end_message(out, length, max_large_reply);
}

fault decode(bytes_view frame, data_row& into) {
  reader in(body_of(frame));
  into.values = value_list::read(in, "column value");
  return in.finish("DataRow");
}

void encode(writer& out, const command_complete& message) {
  const auto length = begin_message(out, reply::command_complete);
  out.cstring(message.tag, "command tag");
  end_message(out, length, max_small_reply);
}

fault decode(bytes_view frame, command_complete& into) {
  reader in(body_of(frame));
  into.tag = in.cstring("command tag");
  return in.finish("CommandComplete");
}

}  // namespace codecs::pg
