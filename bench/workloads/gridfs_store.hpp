#pragma once
// GridFS as a file server, in database wirebench:
//
//   Files                                  {_id: hash, length}       _id is unique
//   FileMapping                            {_id: name, hash}
//   filestore.files, filestore.chunks      the bucket; the _id of a file is its hash
//
// Entering a file is two inserts, storing it one GridFS upload, reading it one find and one GridFS download.

#include "bench/workloads/file_server.hpp"

namespace bench::workloads {

/// Connects. `dog` and the peer outlive the backend.
absl::StatusOr<std::unique_ptr<file_backend>> open_gridfs_backend(const file_server_setup& how,
                                                                  wire::watchdog& dog);

}  // namespace bench::workloads
