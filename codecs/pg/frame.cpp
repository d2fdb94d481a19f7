#include "codecs/pg/frame.hpp"

namespace codecs::pg {
namespace {

constexpr std::uint32_t longest_request(std::uint8_t type) {
  switch (type) {
    case request::query:
    case request::function_call:
    case request::bind:
    case request::parse:
    case request::copy_data:
      return max_large_request;
    default:
      return max_small_request;
  }
}

constexpr std::uint32_t longest_reply(std::uint8_t type) {
  switch (type) {
    case reply::copy_data:
    case reply::data_row:
    case reply::error_response:
    case reply::function_call_response:
    case reply::notice_response:
    case reply::notification_response:
    case reply::row_description:
      return max_large_reply;
    case reply::parameter_description:
      return max_parameter_description;
    default:
      return max_small_reply;
  }
}

}  // namespace

bool is_possible(std::uint32_t length, std::uint8_t type, direction way) {
  return length >= 4 && length <= (way == direction::to_server ? longest_request(type) : longest_reply(type));
}

scan_result scan_startup(bytes_view unread) {
  if (unread.size() < 4) return scan_result::more(4 - unread.size());
  const auto length = load_be<std::uint32_t>(unread.data());
  if (length < 8 || length > max_startup_length) {
    return scan_result::broken(errc::remote_bad_length, "startup length");
  }
  return scan_result::of(length, unread.size());
}

void end_message(writer& out, writer::mark length, std::uint32_t longest) {
  if (out.size() - length.start > longest) return out.fail(errc::local_message_too_long, "message length");
  out.end_be(length);
}

fault decode_bare(bytes_view frame) {
  return reader(body_of(frame)).finish("message");
}

}  // namespace codecs::pg
