#pragma once
// filestore: where should a server keep uploaded files? In 2015 a file system, SQL Server and GridFS stored 1,000 files of 10,000,000
// bytes by one thread and by 20 threads with 50 files each, five times; each file was registered first, by its hash and a new name.
// Measured by `files` (bench/files.hpp), which reads them again as well.

#include "bench/files.hpp"

#include <string>

namespace bench::suites {

inline constexpr char filestore[] = "filestore";

/// What was stored then; `scale` makes the files fewer, never smaller.
files_options filestore_options(double scale);

/// The published table with our own lines, then all phases. At most 110 columns.
std::string report_filestore(const result& measured, bool colour);

}  // namespace bench::suites
