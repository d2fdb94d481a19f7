#pragma once
// What a server says between a StartupMessage that it accepts and the first ReadyForQuery: NegotiateProtocolVersion where
// it is due, AuthenticationOk, ParameterStatus, BackendKeyData.

#include "codecs/pg/refusal.hpp"
#include "codecs/pg/startup.hpp"

#include <optional>

namespace codecs::pg {

/// The run-time parameters that every client is told; a client's own application_name and user come on top.
std::span<const parameter> session_parameters();

/// Why a client is not let in, if so: another protocol than 3, or no user name.
std::optional<refusal> refuse_client(const startup_message& client);

/// Writes all of it and returns how many messages it is.
std::uint64_t encode_greeting(writer& out, const startup_message& client, std::int32_t backend_pid);

}  // namespace codecs::pg
