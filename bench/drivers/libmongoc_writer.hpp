#pragma once
// A file of the disk stored in GridFS through either of libmongoc's two APIs, called as an ordinary program calls them: it reads
// pieces into one buffer and hands them over.
//
//   bucket   mongoc_gridfs_bucket_open_upload_stream(), mongoc_stream_write()
//   legacy   mongoc_gridfs_create_file(), mongoc_gridfs_file_writev()

#include "bench/workloads/gridfs_writer.hpp"

#include <chrono>

namespace bench::drivers {

enum class gridfs_api { bucket, legacy };

workloads::opened_gridfs_writer open_libmongoc_writer(gridfs_api api, const workloads::gridfs_file& what,
                                                      const std::string& uri,
                                                      std::chrono::milliseconds timeout);

}  // namespace bench::drivers
