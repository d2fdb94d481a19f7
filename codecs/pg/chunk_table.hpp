#pragma once
// A file as rows of a table, one for each chunk, counted from 0. A file of no bytes has no row.
//
// Payload is not compressed by the server (STORAGE EXTERNAL): what it takes to store a file then depends on its size alone.

#include "codecs/chunk_layout.hpp"
#include "codecs/exchange.hpp"
#include "codecs/pg/named_statement.hpp"

#include <optional>

namespace codecs::pg::chunk_table {

/// What keeps the chunks of a file together.
using file_key = std::int64_t;

/// n is an int4.
inline constexpr std::int64_t max_chunks = 2'147'483'648;

/// Set when a file has more of them: local_bad_value.
std::optional<failure> refuse(const chunk_layout& layout);

inline constexpr std::string_view create_table =
    "CREATE TABLE IF NOT EXISTS wirebench_chunks"
    " (file int8, n int4, data bytea NOT NULL, PRIMARY KEY (file, n));"
    "ALTER TABLE wirebench_chunks ALTER data SET STORAGE EXTERNAL";

namespace statement {
inline constexpr named_statement insert{"i",
                                        "INSERT INTO wirebench_chunks (file, n, data) VALUES ($1, $2, $3)"};
inline constexpr named_statement copy_in{"y",
                                         "COPY wirebench_chunks (file, n, data) FROM STDIN (FORMAT binary)"};
inline constexpr named_statement select{"t", "SELECT data FROM wirebench_chunks WHERE file = $1 ORDER BY n"};
}  // namespace statement

/// COPY takes no parameters.
std::string copy_out(file_key file);
inline constexpr std::string_view copy_out_begin = "COPY (SELECT data FROM wirebench_chunks WHERE file = ";
inline constexpr std::string_view copy_out_end = " ORDER BY n) TO STDOUT (FORMAT binary)";

}  // namespace codecs::pg::chunk_table
