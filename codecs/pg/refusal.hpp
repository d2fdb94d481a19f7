#pragma once
// How a server says no: what a conversation answers to a request that it cannot serve.

#include "codecs/pg/frame.hpp"

#include <string>

namespace codecs::pg {

/// SQLSTATEs that conversations answer (manual, appendix "PostgreSQL Error Codes").
namespace sqlstate {
inline constexpr std::string_view feature_not_supported = "0A000";
inline constexpr std::string_view protocol_violation = "08P01";
inline constexpr std::string_view in_failed_sql_transaction = "25P02";
inline constexpr std::string_view invalid_sql_statement_name = "26000";
inline constexpr std::string_view invalid_authorization = "28000";
inline constexpr std::string_view invalid_cursor_name = "34000";
inline constexpr std::string_view syntax_error = "42601";
inline constexpr std::string_view undefined_parameter = "42P02";
inline constexpr std::string_view duplicate_cursor = "42P03";
inline constexpr std::string_view duplicate_prepared_statement = "42P05";
inline constexpr std::string_view query_canceled = "57014";
inline constexpr std::string_view program_limit_exceeded = "54000";
inline constexpr std::string_view object_not_in_prerequisite_state = "55000";
}  // namespace sqlstate

/// An error of the server's own; the connection goes on.
struct refusal {
  std::string_view sqlstate;  ///< a literal
  std::string message;
};

/// Of a message that does not decode.
refusal invalid_message(const fault& bad);

/// Writes `why` as an ErrorResponse. `severity` is a literal: "ERROR", or "FATAL" when the session ends with it.
void encode(writer& out, std::string_view severity, const refusal& why);

}  // namespace codecs::pg
