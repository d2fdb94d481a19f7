#include "codecs/pg/greeting.hpp"

#include "codecs/pg/auth.hpp"

#include <array>
#include <vector>

namespace codecs::pg {
namespace {

constexpr std::array<std::uint8_t, 4> cancel_key = {};  // nothing here takes long enough to be cancelled

// asyncpg, pgjdbc and libpqxx want server_version, psycopg 2 client_encoding and DateStyle, pgx standard_conforming_strings.
constexpr std::array<parameter, 9> parameters = {{
    {"server_version", "15.0 (wirebench null)"},
    {"server_encoding", "UTF8"},
    {"client_encoding", "UTF8"},
    {"DateStyle", "ISO, MDY"},
    {"IntervalStyle", "postgres"},
    {"TimeZone", "UTC"},
    {"integer_datetimes", "on"},
    {"standard_conforming_strings", "on"},
    {"is_superuser", "on"},
}};

// Any newer minor version and any protocol option are more than is spoken here; silence would mean consent.
bool encode_negotiation(writer& out, const startup_message& client) {
  std::vector<std::string_view> unknown;
  for (const auto& [name, text] : client.parameters) {
    if (name.starts_with(protocol_option_prefix)) unknown.push_back(name);
  }
  if (client.version == protocol_3_0 && unknown.empty()) return false;
  encode_negotiate_protocol_version(out, protocol_3_0, unknown);
  return true;
}

}  // namespace

std::span<const parameter> session_parameters() {
  return parameters;
}

std::optional<refusal> refuse_client(const startup_message& client) {
  if (major_of(client.version) != major_of(protocol_3_0)) {
    return refusal{sqlstate::feature_not_supported, "this server speaks protocol 3.0 alone"};
  }
  if (client.parameters.find("user").empty()) {
    return refusal{sqlstate::invalid_authorization, "no user name in the startup packet"};
  }
  return {};
}

std::uint64_t encode_greeting(writer& out, const startup_message& client, std::int32_t backend_pid) {
  std::uint64_t messages = encode_negotiation(out, client) ? 1 : 0;
  encode(out, authentication{});
  for (const auto& [name, text] : parameters) encode(out, parameter_status{name, text});
  encode(out, parameter_status{"application_name", client.parameters.find("application_name")});
  encode(out, parameter_status{"session_authorization", client.parameters.find("user")});
  encode(out, backend_key_data{backend_pid, cancel_key});
  messages += 1 + parameters.size() + 2 + 1;
  return messages;
}

}  // namespace codecs::pg
