#include "bench/suites/suite.hpp"

#include "bench/environment.hpp"
#include "bench/suites/filestore.hpp"
#include "bench/suites/gridfs_memory.hpp"
#include "bench/suites/gridfs_vs_lo.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench::suites {
namespace {

constexpr char suite_key[] = "suite";
constexpr char scale_key[] = "scale";

constexpr suite listed[] = {
    {gridfs_memory, "memory that storing a file in GridFS takes, by client and chunk size",
     report_gridfs_memory},
    {gridfs_vs_lo, "files of four sizes in GridFS against the same in large objects", report_gridfs_vs_lo},
    {filestore, "where a server should keep files: a folder, GridFS, PostgreSQL", report_filestore},
};

}  // namespace

std::span<const suite> all() {
  return listed;
}

const suite* find_suite(const result& measured) {
  const auto name = value_of(measured.context, suite_key);
  const auto* found = std::ranges::find(listed, name, &suite::name);
  return found == std::end(listed) ? nullptr : found;
}

void mark(result& measured, std::string_view name, double scale) {
  measured.context.emplace_back(suite_key, name);
  measured.context.emplace_back(scale_key, fmt::format("{:.3g}", scale));
}

std::string scale_clause(const result& measured) {
  const auto scale = value_of(measured.context, scale_key);
  return scale == "1" ? "the published size" : fmt::format("{} x the published size", scale);
}

}  // namespace bench::suites
