#include "codecs/pg/function_call.hpp"

namespace codecs::pg {

void function_arguments::write(writer& out) const {
  out.be(static_cast<std::uint16_t>(count_ + (payload_ ? 1 : 0)));
  out.bytes({integers_, used_});
  if (!payload_) return;
  if (payload_->size() > max_large_request) return out.fail(errc::local_message_too_long, "payload");
  out.be(static_cast<std::int32_t>(payload_->size()));
  out.refer(*payload_);
}

void encode_function_call(writer& out, oid function, const function_arguments& arguments) {
  const auto length = begin_message(out, request::function_call);
  out.be(function);
  write_format(out, format::binary);
  arguments.write(out);
  out.be(static_cast<std::int16_t>(format::binary));
  end_message(out, length, max_large_request);
}

fault decode(bytes_view frame, function_call& into) {
  reader in(body_of(frame));
  into.function = in.be<oid>("function");
  into.argument_formats = format_list::read(in, "argument formats");
  into.arguments = value_list::read(in, "argument");
  if (!into.argument_formats.fits(into.arguments.size())) {
    in.fail(errc::remote_bad_value, "argument format count");
  }
  into.result_format = static_cast<format>(in.be<std::int16_t>("result format"));
  if (into.result_format != format::text && into.result_format != format::binary) {
    in.fail(errc::remote_bad_value, "result format");
  }
  return in.finish("FunctionCall");
}

void encode(writer& out, const function_call_response& message) {
  const auto length = begin_message(out, reply::function_call_response);
  write_value(out, message.result);
  end_message(out, length, max_large_reply);
}

fault decode(bytes_view frame, function_call_response& into) {
  reader in(body_of(frame));
  into.result = read_value(in, "result");
  return in.finish("FunctionCallResponse");
}

}  // namespace codecs::pg
