#include "codecs/pg/prepare_exchange.hpp"

#include <cassert>

namespace codecs::pg {

progress prepare_exchange::start(send_buffer& out) {
  assert(into_ != nullptr);
  begin();
  expected_ = expected::parse_complete;
  writer to(out);
  encode_parse(to, into_->name, text_, parameter_types_);
  encode(to, describe{target::statement, into_->name});
  encode_bare(to, request::sync);
  return sent(to, 3);
}

progress prepare_exchange::on_frame(bytes_view frame, send_buffer&) {
  switch (frame[0]) {
    case reply::parse_complete:
      return advance(expected::parse_complete, expected::parameters, decode_bare(frame));
    case reply::parameter_description:
      return on_parameters(frame);
    case reply::row_description:
    case reply::no_data:
      return on_columns(frame);
    default:
      return on_other(frame);
  }
}

progress prepare_exchange::on_parameters(bytes_view frame) {
  if (expected_ != expected::parameters) return unexpected();
  expected_ = expected::columns;
  parameter_description parameters;
  if (const auto bad = decode(frame, parameters)) return fail(bad);
  into_->parameter_types.clear();
  for (std::size_t i = 0; i < parameters.types.size(); ++i) {
    into_->parameter_types.push_back(parameters.types[i]);
  }
  return progress::more;
}

progress prepare_exchange::on_columns(bytes_view frame) {
  if (expected_ != expected::columns) return unexpected();
  expected_ = expected::ready;
  into_->columns.clear();
  if (frame[0] == reply::no_data) return settle(decode_bare(frame));
  row_description columns;
  if (const auto bad = decode(frame, columns)) return fail(bad);
  for (const auto& each : columns) into_->columns.push_back({std::string(each.name), each.type});
  return progress::more;
}

}  // namespace codecs::pg
