#pragma once
// What `docs` measured, for a terminal.

#include "bench/result.hpp"

#include <string>

namespace bench {

// Both want a result of `docs`: with totals in it.

/// Test after test: each client on each server, and libmongoc over raw with its interval. At most 110 columns.
std::string report_docs(const result& measured, bool colour);

/// The columns of mongo_bench (C++, 2013) in their order, its own figures beside them where it published some. Bytes are those
/// of documents, MB and GB are 2^20 and 2^30 bytes: 385,000,000 bytes in 47.87 s are its 7.67 MB/s only so.
std::string report_mongo_bench(const result& measured);

}  // namespace bench
