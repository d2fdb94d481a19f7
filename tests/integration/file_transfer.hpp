#pragma once
// Files in a temporary PostgreSQL, written by our client and read by psycopg and psql, or the other way round.

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/sink.hpp"
#include "tests/integration/made_content.hpp"
#include "tests/integration/output.hpp"
#include "tests/integration/postgresql.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace tests {

constexpr std::size_t chunk_bytes = 64 * 1024;

class FileTransfer : public PostgreSql {
 protected:
  inline static const std::vector<std::size_t> lengths = {
      0, 1, chunk_bytes - 1, chunk_bytes, chunk_bytes + 1, 2 * chunk_bytes, 1'000'003};

  /// Runs psycopg_files.py: `mode` read or write, `kind` bytea, chunks or object. The key of a file is `first` and its length.
  static std::string psycopg(const std::string& mode, const std::string& kind, std::size_t first);

  static std::string psql(const std::string& command) {
    return output_of({"/usr/bin/psql", "--no-psqlrc", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
                      "--command=" + command, uri()});
  }

  /// A line for each length: what psycopg prints of files that are as they should be.
  static std::string sums() {
    std::string all;
    for (const auto length : lengths) all += fmt::format("{}: {}\n", length, sha256_of(made_content(length)));
    return all;
  }
  static std::string written() {
    std::string all;
    for (const auto length : lengths) all += fmt::format("written: {}\n", length);
    return all;
  }

  /// What a query with one row of one column answers, as text.
  std::string ask(const std::string& query) {
    sink seen;
    EXPECT_FALSE(client_.query(query, &seen)) << client_.why();
    const auto first = seen.seen.find('(') + 1;
    return seen.seen.substr(first, seen.seen.find(')') - first);
  }
};

}  // namespace tests
