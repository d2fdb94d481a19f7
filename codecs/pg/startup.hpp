#pragma once
// What begins and ends a connection (manual, "Start-up", "SSL Session Encryption", "Canceling Requests in Progress"):
// the startup family from the client, and the server's description of the session that follows.

#include "codecs/pg/frame.hpp"

#include <iterator>
#include <span>
#include <utility>

namespace codecs::pg {

inline constexpr std::int32_t protocol_3_0 = 3 << 16;
inline constexpr std::int32_t protocol_3_2 = 3 << 16 | 2;
inline constexpr std::int32_t major_of(std::int32_t version) {
  return version >> 16;
}

// Request codes stand where StartupMessage has its version: 1234 above 5678 and its successors.
inline constexpr std::int32_t cancel_request_code = 1234 << 16 | 5678;
inline constexpr std::int32_t ssl_request_code = 1234 << 16 | 5679;
inline constexpr std::int32_t gssenc_request_code = 1234 << 16 | 5680;

/// Names of protocol options, as opposed to run-time parameters, begin so.
inline constexpr std::string_view protocol_option_prefix = "_pq_.";

using parameter = std::pair<std::string_view, std::string_view>;

// --- client to server, without a type byte ---

/// The version or request code of a frame that scan_startup() has cut.
inline std::int32_t startup_code(bytes_view frame) {
  return load_be<std::int32_t>(frame.data() + 4);
}

/// Name and value pairs of a decoded StartupMessage, valid as long as the frame.
class parameter_list {
 public:
  parameter_list() = default;

  /// Pairs of cstrings up to an empty name.
  static parameter_list read(reader& in);

  class iterator {
   public:
    using value_type = parameter;
    using difference_type = std::ptrdiff_t;

    iterator() = default;
    explicit iterator(const char* at) : at_(at) {}

    parameter operator*() const;
    iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return *at_ == '\0'; }

   private:
    const char* at_ = nullptr;
  };

  iterator begin() const { return iterator(first_); }
  std::default_sentinel_t end() const { return {}; }

  /// The value of the first parameter with that name, or an empty view.
  std::string_view find(std::string_view name) const;

 private:
  const char* first_ = "";
};

struct startup_message {
  std::int32_t version = protocol_3_0;
  parameter_list parameters;
};
void encode_startup_message(writer& out, std::int32_t version, std::span<const parameter> parameters);
fault decode(bytes_view frame, startup_message& into);

/// SSLRequest and GSSENCRequest: a length and a code.
void encode_encryption_request(writer& out, std::int32_t code);
fault decode_encryption_request(bytes_view frame);

struct cancel_request {
  std::int32_t pid = 0;
  bytes_view key;
};
void encode(writer& out, const cancel_request& message);
fault decode(bytes_view frame, cancel_request& into);

// --- server to client ---

/// The one byte that answers an encryption request. An ErrorResponse may stand in its place, whose text must not be
/// shown, since it is not authenticated (CVE-2024-10977).
enum class encryption_answer : std::uint8_t { accepted = 'S', refused = 'N' };

/// Cuts that byte, or an ErrorResponse. Bytes behind the byte are refused: they were sent before the encryption that
/// they pretend to be under (CVE-2021-23222, case S09).
scan_result scan_encryption_answer(bytes_view unread);

/// What the server speaks instead of what was asked for.
struct negotiate_protocol_version {
  std::int32_t version = protocol_3_0;  ///< the full code, 0x00030000 for 3.0
  std::int32_t options = 0;             ///< how many protocol options it does not know
  bytes_view names;                     ///< theirs: `options` cstrings
};
void encode_negotiate_protocol_version(writer& out, std::int32_t version,
                                       std::span<const std::string_view> options);
fault decode(bytes_view frame, negotiate_protocol_version& into);

/// Whether the answer makes sense for a startup with that version and those parameters, by the rules of libpq's
/// pqGetNegotiateProtocolVersion3: not newer than asked for, not below 3.0, not 3.1, which never existed, something
/// changes, and each option was asked for.
fault check_negotiation(const negotiate_protocol_version& answer, std::int32_t asked,
                        std::span<const parameter> parameters);

/// What CancelRequest must echo. The key has 4 bytes in protocol 3.0 and 4 to 256 since 3.2 (case C31).
struct backend_key_data {
  std::int32_t pid = 0;
  bytes_view key;
};
void encode(writer& out, const backend_key_data& message);
fault decode(bytes_view frame, backend_key_data& into);

struct parameter_status {
  std::string_view name;
  std::string_view value;
};
void encode(writer& out, const parameter_status& message);
fault decode(bytes_view frame, parameter_status& into);

enum class transaction_status : std::uint8_t { idle = 'I', open = 'T', failed = 'E' };

struct ready_for_query {
  transaction_status status = transaction_status::idle;
};
void encode(writer& out, const ready_for_query& message);
fault decode(bytes_view frame, ready_for_query& into);

}  // namespace codecs::pg
