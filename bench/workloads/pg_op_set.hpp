#pragma once
// What the PostgreSQL ops of the default op set are, for every client alike: SQL, parameters and payloads.

#include "codecs/bytes.hpp"

#include <string>

namespace bench::workloads {

/// Kept on a real server for as long as the measurement lasts.
inline constexpr char rows_table_create[] = "CREATE TABLE IF NOT EXISTS wirebench_rows (data bytea)";
inline constexpr char rows_table_drop[] = "DROP TABLE IF EXISTS wirebench_rows";

inline constexpr char select_one_sql[] = "SELECT 1";
inline constexpr char select_param_sql[] = "SELECT $1::int4";
inline constexpr char insert_row_sql[] = "INSERT INTO wirebench_rows (data) VALUES ($1)";

/// The name of a connection's first statement ("p": one character, as short as drivers that number their statements have
/// it), of its second ("p1"), and so on.
std::string statement_name(std::size_t number);

/// insert_row: 400 incompressible bytes.
codecs::bytes_view row_payload();

/// lowrite_256k: one chunk of 256 KiB, incompressible, page-aligned, reused by every op.
codecs::bytes_view large_object_chunk();

}  // namespace bench::workloads
