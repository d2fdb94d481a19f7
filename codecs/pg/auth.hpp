#pragma once
// Authentication (manual, "Start-up"): the server's `R` messages, told apart by a sub-code, and the client's password.
// Trust, cleartext and MD5 are spoken; what else a server may ask for is decoded far enough to be named.

#include "codecs/pg/frame.hpp"

#include <array>
#include <string>

namespace codecs::pg {

/// Sub-codes of `R` (2, 4 and 6 died long ago).
enum class authentication_method : std::int32_t {
  ok = 0,
  cleartext_password = 3,
  md5_password = 5,
  gss = 7,
  gss_continue = 8,
  sspi = 9,
  sasl = 10,
  sasl_continue = 11,
  sasl_final = 12,
};

using md5_salt = std::array<std::uint8_t, 4>;

struct authentication {
  authentication_method method = authentication_method::ok;
  md5_salt salt = {};  ///< of md5_password
  bytes_view data;     ///< of the methods from gss on, as it came
};
void encode(writer& out, const authentication& message);
fault decode(bytes_view frame, authentication& into);

/// What the server asks for, for a person: "SCRAM authentication".
const char* name_of(authentication_method method);

/// The same letter carries SASL and GSS responses, which are bytes and no cstring.
struct password_message {
  std::string_view password;
};
void encode(writer& out, const password_message& message);
fault decode(bytes_view frame, password_message& into);

/// The password of an md5_password request: "md5" + md5hex(md5hex(password + user) + salt).
std::string md5_password(std::string_view user, std::string_view password, const md5_salt& salt);

}  // namespace codecs::pg
