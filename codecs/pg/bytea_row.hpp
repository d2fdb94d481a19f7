#pragma once
// A whole file as one value of type bytea, in a row of its own under a key.
//
// Payload is not compressed by the server (STORAGE EXTERNAL): what it takes to store a file then depends on its size alone.

#include "codecs/pg/named_statement.hpp"
#include "codecs/pg/values.hpp"

#include <cstdint>

namespace codecs::pg::bytea_row {

using key = std::int64_t;

inline constexpr std::string_view create_table =
    "CREATE TABLE IF NOT EXISTS wirebench_bytea (id int8 PRIMARY KEY, data bytea NOT NULL);"
    "ALTER TABLE wirebench_bytea ALTER data SET STORAGE EXTERNAL";

namespace statement {
inline constexpr named_statement put{"p", "INSERT INTO wirebench_bytea (id, data) VALUES ($1, $2)"};
inline constexpr named_statement get{"r", "SELECT data FROM wirebench_bytea WHERE id = $1"};
}  // namespace statement

}  // namespace codecs::pg::bytea_row
