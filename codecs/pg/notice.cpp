#include "codecs/pg/notice.hpp"

#include <fmt/format.h>

namespace codecs::pg {
namespace {

// Field types (manual, "Error and Notice Message Fields").
constexpr std::uint8_t severity_field = 'S';
constexpr std::uint8_t untranslated_severity_field = 'V';
constexpr std::uint8_t code_field = 'C';
constexpr std::uint8_t message_field = 'M';
constexpr std::uint8_t detail_field = 'D';
constexpr std::uint8_t hint_field = 'H';

void write_field(writer& out, std::uint8_t type, std::string_view text, const char* name) {
  if (text.empty()) return;
  out.u8(type);
  out.cstring(text, name);
}

void keep(notice& into, std::uint8_t type, std::string_view text) {
  switch (type) {
    case severity_field:
      if (into.severity.empty()) into.severity = text;
      break;
    case untranslated_severity_field:
      into.severity = text;
      break;
    case code_field:
      into.code = text;
      break;
    case message_field:
      into.message = text;
      break;
    case detail_field:
      into.detail = text;
      break;
    case hint_field:
      into.hint = text;
      break;
  }
}

}  // namespace

std::string notice::text() const {
  return fmt::format("{}: {} ({})", severity, message, code);
}

void encode(writer& out, std::uint8_t type, const notice& message) {
  const auto length = begin_message(out, type);
  write_field(out, severity_field, message.severity, "severity");
  write_field(out, untranslated_severity_field, message.severity, "severity");
  write_field(out, code_field, message.code, "SQLSTATE");
  write_field(out, message_field, message.message, "message");
  write_field(out, detail_field, message.detail, "detail");
  write_field(out, hint_field, message.hint, "hint");
  out.u8(0);
  end_message(out, length, max_large_reply);
}

fault decode(bytes_view frame, notice& into) {
  reader in(body_of(frame));
  into = {};
  while (const auto type = in.u8("field type")) keep(into, type, in.cstring("field"));
  return in.finish("notice");
}

void encode(writer& out, const notification& message) {
  const auto length = begin_message(out, reply::notification_response);
  out.be(message.pid);
  out.cstring(message.channel, "channel");
  out.cstring(message.payload, "payload");
  end_message(out, length, max_large_reply);
}

fault decode(bytes_view frame, notification& into) {
  reader in(body_of(frame));
  into.pid = in.be<std::int32_t>("process id");
  into.channel = in.cstring("channel");
  into.payload = in.cstring("payload");
  return in.finish("NotificationResponse");
}

}  // namespace codecs::pg
