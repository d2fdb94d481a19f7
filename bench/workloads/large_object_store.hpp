#pragma once
// PostgreSQL's large objects as a file server. Entering a file is one statement that writes both tables of pg_files.hpp. Storing it is
// one upload, and one UPDATE that says which object it became. Reading it is one SELECT and one download.

#include "bench/workloads/file_server.hpp"

namespace bench::workloads {

/// Connects. `dog` and the peer outlive the backend.
absl::StatusOr<std::unique_ptr<file_backend>> open_large_object_backend(const file_server_setup& how,
                                                                        wire::watchdog& dog);

}  // namespace bench::workloads
