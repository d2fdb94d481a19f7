#pragma once
// Opening a session (manual, "Start-up"):
//
//   [SSLRequest -> one byte]   StartupMessage -> [v] R.. [PasswordMessage -> R] S.. K Z
//
// An ErrorResponse before the first Z ends the connection.

#include "codecs/pg/auth.hpp"
#include "codecs/pg/session.hpp"

namespace codecs::pg {

/// How to log in. The text lives as long as the exchange runs.
struct login {
  std::string_view user;
  std::string_view database;  ///< empty: the user's name
  std::string_view password;
  std::span<const parameter> parameters;  ///< further run-time parameters and _pq_. options
  std::int32_t protocol = protocol_3_0;
  bool ask_for_encryption =
      false;  ///< send an SSLRequest first, as libpq does; only N can be gone on with yet
};

class startup_exchange final : public session_exchange {
 public:
  using session_exchange::session_exchange;

  /// The session is begun anew when the exchange starts.
  void set(const login& how) { login_ = how; }

  progress start(send_buffer& out) override;
  scan_result scan(bytes_view unread) const override;
  progress on_frame(bytes_view frame, send_buffer& out) override;

 private:
  enum class phase { encryption, authentication, session };

  progress send_startup(send_buffer& out);
  progress on_encryption_answer(bytes_view frame, send_buffer& out);
  progress on_authentication(bytes_view frame, send_buffer& out);
  progress on_negotiation(bytes_view frame);
  progress on_key(bytes_view frame);
  progress on_refusal(bytes_view frame);
  progress send_password(std::string_view password, send_buffer& out);

  login login_;
  std::vector<parameter> parameters_;
  phase phase_ = phase::encryption;
};

}  // namespace codecs::pg
