#include "codecs/pg/auth.hpp"

#include <openssl/evp.h>

#include <algorithm>

namespace codecs::pg {
namespace {

std::string md5_hex(std::string_view text) {
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_md5(), nullptr);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const auto byte : bytes_view(digest).first(size)) {
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

}  // namespace

void encode(writer& out, const authentication& message) {
  const auto length = begin_message(out, reply::authentication);
  out.be(static_cast<std::int32_t>(message.method));
  if (message.method == authentication_method::md5_password) out.bytes(message.salt);
  out.bytes(message.data);
  end_message(out, length, max_small_reply);
}

fault decode(bytes_view frame, authentication& into) {
  reader in(body_of(frame));
  into = {};
  into.method = static_cast<authentication_method>(in.be<std::int32_t>("authentication method"));
  if (into.method == authentication_method::md5_password) {
    const auto salt = in.bytes(into.salt.size(), "MD5 salt");
    std::ranges::copy(salt, into.salt.begin());
  } else if (into.method >= authentication_method::gss) {
    into.data = in.rest();
  }
  return in.finish("Authentication");
}

const char* name_of(authentication_method method) {
  switch (method) {
    case authentication_method::ok:
      return "no further authentication";
    case authentication_method::cleartext_password:
      return "a password in clear";
    case authentication_method::md5_password:
      return "an MD5 password";
    case authentication_method::gss:
    case authentication_method::gss_continue:
      return "GSSAPI authentication";
    case authentication_method::sspi:
      return "SSPI authentication";
    case authentication_method::sasl:
    case authentication_method::sasl_continue:
    case authentication_method::sasl_final:
      return "SCRAM authentication";
  }
  return "an unknown kind of authentication";
}

void encode(writer& out, const password_message& message) {
  const auto length = begin_message(out, request::password);
  out.cstring(message.password, "password");
  end_message(out, length, max_small_request);
}

fault decode(bytes_view frame, password_message& into) {
  reader in(body_of(frame));
  into.password = in.cstring("password");
  return in.finish("PasswordMessage");
}

std::string md5_password(std::string_view user, std::string_view password, const md5_salt& salt) {
  const auto stored = md5_hex(std::string(password).append(user));
  return "md5" + md5_hex(stored + std::string(as_text(salt)));
}

}  // namespace codecs::pg
