#include "codecs/pg/startup.hpp"

#include <algorithm>

namespace codecs::pg {
namespace {

constexpr std::int32_t protocol_3_1 = 3 << 16 | 1;
constexpr std::size_t min_key_bytes = 4;
constexpr std::size_t max_key_bytes = 256;

reader startup_body(bytes_view frame) {
  return reader(frame.subspan(8));
}

void read_key(reader& in, bytes_view& key) {
  key = in.rest();
  if (key.size() < min_key_bytes || key.size() > max_key_bytes)
    in.fail(errc::remote_bad_length, "cancel key");
}

}  // namespace

parameter parameter_list::iterator::operator*() const {
  const std::string_view name(at_);
  return {name, std::string_view(at_ + name.size() + 1)};
}

parameter_list::iterator& parameter_list::iterator::operator++() {
  const auto [name, text] = **this;
  at_ += name.size() + text.size() + 2;
  return *this;
}

parameter_list parameter_list::read(reader& in) {
  parameter_list list;
  const auto first = in.cstring("parameter name");
  for (auto name = first; !name.empty(); name = in.cstring("parameter name")) in.cstring("parameter value");
  if (!in.failed() && !first.empty()) list.first_ = first.data();
  return list;
}

std::string_view parameter_list::find(std::string_view name) const {
  for (const auto& [each, text] : *this) {
    if (each == name) return text;
  }
  return {};
}

void encode_startup_message(writer& out, std::int32_t version, std::span<const parameter> parameters) {
  const auto length = out.begin_length();
  out.be(version);
  for (const auto& [name, text] : parameters) {
    if (name.empty()) out.fail(errc::local_bad_value, "parameter name");  // it would end the list
    out.cstring(name, "parameter name");
    out.cstring(text, "parameter value");
  }
  out.u8(0);
  end_message(out, length, max_startup_length);
}

fault decode(bytes_view frame, startup_message& into) {
  reader in = startup_body(frame);
  into.version = startup_code(frame);
  into.parameters = parameter_list::read(in);
  return in.finish("StartupMessage");
}

void encode_encryption_request(writer& out, std::int32_t code) {
  out.be(std::int32_t{8});
  out.be(code);
}

fault decode_encryption_request(bytes_view frame) {
  return startup_body(frame).finish("encryption request");
}

void encode(writer& out, const cancel_request& message) {
  const auto length = out.begin_length();
  out.be(cancel_request_code);
  out.be(message.pid);
  out.bytes(message.key);
  end_message(out, length, max_startup_length);
}

fault decode(bytes_view frame, cancel_request& into) {
  reader in = startup_body(frame);
  into.pid = in.be<std::int32_t>("process id");
  read_key(in, into.key);
  return in.finish("CancelRequest");
}

scan_result scan_encryption_answer(bytes_view unread) {
  if (unread.empty()) return scan_result::more(1);
  switch (unread[0]) {
    case static_cast<std::uint8_t>(encryption_answer::accepted):
    case static_cast<std::uint8_t>(encryption_answer::refused):
      if (unread.size() == 1) return scan_result::frame(1);
      return scan_result::broken(errc::remote_trailing_bytes, "encryption answer");
    case reply::error_response:
      return scan_typed(unread, direction::to_client);
    default:
      return scan_result::broken(errc::remote_bad_value, "encryption answer");
  }
}

void encode_negotiate_protocol_version(writer& out, std::int32_t version,
                                       std::span<const std::string_view> options) {
  const auto length = begin_message(out, reply::negotiate_protocol_version);
  out.be(version);
  out.be(static_cast<std::int32_t>(options.size()));
  for (const auto name : options) out.cstring(name, "protocol option");
  end_message(out, length, max_small_reply);
}

fault decode(bytes_view frame, negotiate_protocol_version& into) {
  reader in(body_of(frame));
  into.version = in.be<std::int32_t>("protocol version");
  into.options = in.be<std::int32_t>("option count");
  if (into.options < 0) in.fail(errc::remote_bad_value, "option count");
  reader names = in;
  for (std::int32_t i = 0; i < into.options && !in.failed(); ++i) in.cstring("option name");
  into.names = names.bytes(names.left() - in.left(), "option name");
  return in.finish("NegotiateProtocolVersion");
}

fault check_negotiation(const negotiate_protocol_version& answer, std::int32_t asked,
                        std::span<const parameter> parameters) {
  const bool impossible = answer.version > asked || answer.version < protocol_3_0 ||
                          answer.version == protocol_3_1 || (answer.version == asked && answer.options == 0);
  if (impossible) return {errc::remote_bad_value, "protocol version"};
  reader names(answer.names);
  for (std::int32_t i = 0; i < answer.options; ++i) {
    const auto name = names.cstring("option name");
    const auto asked_for = [&](const parameter& each) { return each.first == name; };
    if (!name.starts_with(protocol_option_prefix) || std::ranges::none_of(parameters, asked_for)) {
      return {errc::remote_bad_value, "option name"};
    }
  }
  return {};
}

void encode(writer& out, const backend_key_data& message) {
  const auto length = begin_message(out, reply::backend_key_data);
  out.be(message.pid);
  out.bytes(message.key);
  end_message(out, length, max_small_reply);
}

fault decode(bytes_view frame, backend_key_data& into) {
  reader in(body_of(frame));
  into.pid = in.be<std::int32_t>("process id");
  read_key(in, into.key);
  return in.finish("BackendKeyData");
}

void encode(writer& out, const parameter_status& message) {
  const auto length = begin_message(out, reply::parameter_status);
  out.cstring(message.name, "parameter name");
  out.cstring(message.value, "parameter value");
  end_message(out, length, max_small_reply);
}

fault decode(bytes_view frame, parameter_status& into) {
  reader in(body_of(frame));
  into.name = in.cstring("parameter name");
  into.value = in.cstring("parameter value");
  return in.finish("ParameterStatus");
}

void encode(writer& out, const ready_for_query& message) {
  out.u8(reply::ready_for_query);
  out.be(std::int32_t{5});
  out.u8(static_cast<std::uint8_t>(message.status));
}

fault decode(bytes_view frame, ready_for_query& into) {
  reader in(body_of(frame));
  into.status = static_cast<transaction_status>(in.u8("transaction status"));
  switch (into.status) {
    case transaction_status::idle:
    case transaction_status::open:
    case transaction_status::failed:
      break;
    default:
      in.fail(errc::remote_bad_value, "transaction status");
  }
  return in.finish("ReadyForQuery");
}

}  // namespace codecs::pg
