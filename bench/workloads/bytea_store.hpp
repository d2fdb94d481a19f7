#pragma once
// Rows of PostgreSQL as a file server: each content is one value of type bytea in a table of its own (codecs::pg::bytea_row). The row's
// key comes from the hash, so that entering a file, one statement on the tables of pg_files.hpp, knows it already. Storing it is one
// INSERT, reading it two SELECTs. A file is one message, and the server holds it in memory more than once.

#include "bench/workloads/file_server.hpp"

namespace bench::workloads {

/// Connects. `dog` and the peer outlive the backend. InvalidArgument for files that a connection's receive buffer does not hold.
absl::StatusOr<std::unique_ptr<file_backend>> open_bytea_backend(const file_server_setup& how,
                                                                 wire::watchdog& dog);

}  // namespace bench::workloads
