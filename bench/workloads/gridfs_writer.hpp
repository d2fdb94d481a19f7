#pragma once
// A file of the disk stored in GridFS, again and again, by one client: the program holds no more of it than the client wants.

#include "wire/endpoint.hpp"
#include "wire/watchdog.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace bench::workloads {

struct gridfs_file {
  std::string path;
  std::string bucket;  ///< of the database wirebench
  std::int64_t chunk_bytes = 0;
};

struct stored_file {
  std::string id;          ///< its ObjectId, as 24 digits
  std::int64_t bytes = 0;  ///< as the client has told the server
};

class gridfs_writer {
 public:
  virtual ~gridfs_writer() = default;

  /// Stores the file once more, under an `_id` of its own.
  virtual absl::StatusOr<stored_file> store() = 0;
};

using opened_gridfs_writer = absl::StatusOr<std::unique_ptr<gridfs_writer>>;

/// The raw client with one of wire::source_strategies(). Those that take their payload from memory get the file mapped whole, which
/// counts as RssFile, not as RssAnon. `dog` outlives the writer.
opened_gridfs_writer open_gridfs_writer(const std::string& strategy, const gridfs_file& what,
                                        const wire::endpoint& to, wire::watchdog& dog);

/// Takes a bucket of the database wirebench off the server; one that is not there is no error.
absl::Status drop_bucket(const std::string& bucket, const wire::endpoint& to, wire::watchdog& dog);

}  // namespace bench::workloads
