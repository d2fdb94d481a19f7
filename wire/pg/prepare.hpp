#pragma once
// What transfers by prepared statements need of a session.

#include "codecs/pg/named_statement.hpp"

#include "wire/pg/client.hpp"

#include <initializer_list>

namespace wire::pg {

/// Prepares the statements and has the server plan them once: plans of one's own for the first executions of a statement would hold
/// a copy of each chunk.
error_code prepare(client& client, std::initializer_list<codecs::pg::named_statement> statements);

}  // namespace wire::pg
