#include "bench/suites/gridfs_vs_lo.hpp"

#include "bench/report_ministat.hpp"
#include "bench/report_text.hpp"
#include "bench/suites/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bench::suites {
namespace {

constexpr std::int64_t chunk_bytes = 512 * 1024;

struct level {
  const char* name;
  const char* strategy;
  std::vector<const char*> framings;  // GridFS first
};

std::vector<level> levels() {
  return {{"raw", "gather", {"gridfs", "lo-trip", "lowrite"}},
          {"driver", driver_strategy, {"gridfs", "lowrite"}}};
}

contest made(const level& of, std::int64_t file_bytes, const char* rung, const sweep_peers& peers,
             workloads::transfer_payload& payload, wire::watchdog& dog) {
  sweep_options options{
      .framings = {}, .strategies = {of.strategy}, .chunk_bytes = {chunk_bytes}, .file_bytes = file_bytes};
  for (const auto* framing : of.framings) options.framings.push_back(workloads::find_framing(framing));
  contest planned{.op = fmt::format("{} {} {}", size_name(file_bytes), of.name, rung),
                  .cells = plan_sweep(options, workloads::direction::upload, peers, payload, dog)};
  for (auto& cell : planned.cells) {
    cell.what.op = planned.op;
    cell.what.id = fmt::format("{}/{}", size_name(file_bytes), cell.what.id);
    cell.group_with = planned.op;
  }
  return planned;
}

std::optional<double> per_second(const std::optional<double>& ns) {
  return ns && *ns > 0 ? std::optional(1e9 / *ns) : std::nullopt;
}

std::string rate(const cell& one) {
  return with_range(per_second(one.per_op.median_ns), per_second(one.per_op.hi_ns),
                    per_second(one.per_op.lo_ns), 1, number);
}

std::uint64_t files_of(const cell& one) {
  std::uint64_t files = 0;
  for (const auto& timed : one.rounds) files += timed.ops;
  return files;
}

std::string client_of(const cell& one) {
  return one.what.client == "raw" ? one.what.framing.value_or("") : one.what.client;
}

constexpr auto line = " {:<4}{:>5} {:<5}{:<9}{:>21} {:<8}{:>21}{:>21} {}\n";

std::string table_head() {
  return fmt::format(line, "of", "files", "on", "GridFS", "ops/s", "lo", "ops/s", "lo time / GridFS",
                     "lo is");
}

std::string published_row(const stored_files& row) {
  const auto files = static_cast<double>(row.files);
  return fmt::format(line, size_name(row.file_bytes), row.files, "2013", "pymongo",
                     number(files / row.gridfs_s), "psycopg2", number(files / row.large_object_s),
                     ratio_number(row.large_object_s / row.gridfs_s), "");
}

std::string measured_row(const result& measured, const comparison& pair, bool colour) {
  const auto& a = *find_cell(measured.cells, pair.a);
  const auto& b = *find_cell(measured.cells, pair.b);
  return fmt::format(line, size_name(a.what.payload_bytes.value_or(0)), files_of(a), a.what.rung,
                     client_of(a), rate(a), client_of(b), rate(b),
                     with_range(pair.ratio, pair.lo, pair.hi, 1, ratio_number), coloured(pair.says, colour));
}

std::string table(const result& measured, bool colour) {
  std::string lines;
  for (const auto& size : published_files) {
    std::string rows;
    for (const auto& pair : measured.comparisons) {
      const auto& of = find_cell(measured.cells, pair.a)->what;
      if (pair.asks == question::first_row && of.payload_bytes == size.file_bytes)
        rows += measured_row(measured, pair, colour);
    }
    if (!rows.empty()) lines += rows + published_row(size);
  }
  return lines;
}

std::string warnings_of(const result& measured) {
  std::string lines;
  for (const auto& doubt : measured.warnings) lines += warning_lines(doubt);
  return lines;
}

}  // namespace

std::vector<contest> plan_gridfs_vs_lo(std::int64_t file_bytes, const sweep_peers& peers,
                                       workloads::transfer_payload& payload, wire::watchdog& dog) {
  std::vector<contest> contests;
  const sweep_peers null{.mongo = peers.mongo, .pg = peers.pg};
  const sweep_peers real{.real_mongo = peers.real_mongo, .real_pg = peers.real_pg};
  for (const auto& of : levels()) contests.push_back(made(of, file_bytes, "null", null, payload, dog));
  if (peers.real_mongo == nullptr || peers.real_pg == nullptr) return contests;
  for (const auto& of : levels()) contests.push_back(made(of, file_bytes, "real", real, payload, dog));
  return contests;
}

std::string report_gridfs_vs_lo(const result& measured, bool colour) {
  auto text = warnings_of(measured);
  if (!text.empty()) text += "\n";
  text += bold(fmt::format("gridfs-vs-lo: files in chunks of 512 KiB, {}", scale_clause(measured)), colour) +
          "\n" +
          paragraph(
              "GridFS and large objects in the same rows, interleaved, one commit per file; what was stored "
              "is removed "
              "outside of the timer. Payload does not compress. Verdicts: the large object against GridFS, "
              "at the level "
              "that the row's table asks for.") +
          "\n" + table_head() + table(measured, colour) + "\n" +
          paragraph(
              "2013: Python 2, one machine of that time, payload all `x`, which compresses: context, not a "
              "target. Its author "
              "missed ops per second and a test of significance.") +
          "\n";
  auto contests = measured;
  std::erase_if(contests.comparisons, [](const comparison& pair) { return pair.asks == question::aa; });
  return text + report_ministat(contests);
}

}  // namespace bench::suites
