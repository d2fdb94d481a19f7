#include "codecs/pg/startup_exchange.hpp"

#include "codecs/pg/notice.hpp"

namespace codecs::pg {

progress startup_exchange::start(send_buffer& out) {
  begin();
  session_ = {};
  session_.protocol = login_.protocol;
  if (!login_.ask_for_encryption) return send_startup(out);
  phase_ = phase::encryption;
  writer to(out);
  encode_encryption_request(to, ssl_request_code);
  return sent(to);
}

progress startup_exchange::send_startup(send_buffer& out) {
  phase_ = phase::authentication;
  parameters_.assign({{"user", login_.user}});
  if (!login_.database.empty()) parameters_.emplace_back("database", login_.database);
  parameters_.insert(parameters_.end(), login_.parameters.begin(), login_.parameters.end());
  writer to(out);
  encode_startup_message(to, login_.protocol, parameters_);
  return sent(to);
}

scan_result startup_exchange::scan(bytes_view unread) const {
  return phase_ == phase::encryption ? scan_encryption_answer(unread)
                                     : scan_typed(unread, direction::to_client);
}

progress startup_exchange::on_frame(bytes_view frame, send_buffer& out) {
  if (phase_ == phase::encryption) return on_encryption_answer(frame, out);
  switch (frame[0]) {
    case reply::error_response:
      return on_refusal(frame);
    case reply::authentication:
      return phase_ == phase::authentication ? on_authentication(frame, out) : unexpected();
    case reply::negotiate_protocol_version:
      return phase_ == phase::authentication ? on_negotiation(frame) : unexpected();
    case reply::backend_key_data:
      return phase_ == phase::session ? on_key(frame) : unexpected();
    case reply::ready_for_query:
      return phase_ == phase::session ? on_ready(frame) : unexpected();
    default:
      return on_any_time(frame);
  }
}

progress startup_exchange::on_encryption_answer(bytes_view frame, send_buffer& out) {
  switch (frame[0]) {
    case static_cast<std::uint8_t>(encryption_answer::refused):
      return send_startup(out);
    case static_cast<std::uint8_t>(encryption_answer::accepted):
      return fail(errc::remote_unsupported, "encryption", "the server starts TLS, which comes later");
    default:  // an ErrorResponse whose text nobody vouches for
      return fail(errc::remote_server_error, "encryption answer");
  }
}

progress startup_exchange::on_authentication(bytes_view frame, send_buffer& out) {
  authentication asked;
  if (const auto bad = decode(frame, asked)) return fail(bad);
  switch (asked.method) {
    case authentication_method::ok:
      phase_ = phase::session;
      return progress::more;
    case authentication_method::cleartext_password:
      return send_password(login_.password, out);
    case authentication_method::md5_password:
      return send_password(md5_password(login_.user, login_.password, asked.salt), out);
    default:
      return fail(errc::remote_unsupported, "authentication",
                  std::string("the server asks for ") + name_of(asked.method) + ", which comes later");
  }
}

progress startup_exchange::send_password(std::string_view password, send_buffer& out) {
  writer to(out);
  encode(to, password_message{password});
  return sent(to);
}

progress startup_exchange::on_negotiation(bytes_view frame) {
  negotiate_protocol_version answer;
  if (const auto bad = decode(frame, answer)) return fail(bad);
  if (const auto bad = check_negotiation(answer, login_.protocol, parameters_)) return fail(bad);
  session_.protocol = answer.version;
  return progress::more;
}

progress startup_exchange::on_key(bytes_view frame) {
  backend_key_data key;
  if (const auto bad = decode(frame, key)) return fail(bad);
  if (session_.protocol < protocol_3_2 && key.key.size() != 4) {
    return fail(errc::remote_bad_length, "cancel key");
  }
  session_.backend_pid = key.pid;
  session_.cancel_key.assign(key.key.begin(), key.key.end());
  return progress::more;
}

// Whatever its severity: before the first Z the server closes the connection after an error.
progress startup_exchange::on_refusal(bytes_view frame) {
  notice error;
  if (const auto bad = decode(frame, error)) return fail(bad);
  return fail(errc::remote_server_error, "startup", error.text());
}

}  // namespace codecs::pg
