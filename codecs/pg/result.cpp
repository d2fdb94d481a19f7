#include "codecs/pg/result.hpp"

namespace codecs::pg {

fault result_reader::on_columns(bytes_view frame) {
  row_description columns;
  if (const auto bad = decode(frame, columns)) return bad;
  columns_ = static_cast<int>(columns.size());
  if (sink_ != nullptr) sink_->on_columns(columns);
  return {};
}

fault result_reader::on_row(bytes_view frame) {
  if (columns_ == no_columns) return {errc::remote_unexpected_message, "message type"};
  data_row row;
  if (const auto bad = decode(frame, row)) return bad;
  const auto size = static_cast<int>(row.values.size());
  if (columns_ == any_columns) columns_ = size;
  if (size != columns_) return {errc::remote_bad_value, "column count"};
  if (sink_ != nullptr) sink_->on_row(row);
  return {};
}

fault result_reader::on_complete(bytes_view frame) {
  command_complete complete;
  if (const auto bad = decode(frame, complete)) return bad;
  if (sink_ != nullptr) sink_->on_complete(complete.tag);
  return {};
}

fault result_reader::on_empty(bytes_view frame) {
  if (const auto bad = decode_bare(frame)) return bad;
  if (sink_ != nullptr) sink_->on_complete({});
  return {};
}

}  // namespace codecs::pg
