#include "codecs/pg/refusal.hpp"

#include "codecs/exchange.hpp"
#include "codecs/pg/notice.hpp"

#include <fmt/format.h>

namespace codecs::pg {

refusal invalid_message(const fault& bad) {
  return {sqlstate::protocol_violation, fmt::format("invalid message: {}", failure{bad, {}}.sentence())};
}

void encode(writer& out, std::string_view severity, const refusal& why) {
  notice error;
  error.severity = severity;
  error.code = why.sqlstate;
  error.message = why.message;
  encode(out, reply::error_response, error);
}

}  // namespace codecs::pg
