#include "bench/suites/filestore.hpp"

#include "bench/report_files.hpp"
#include "bench/report_text.hpp"
#include "bench/statistics.hpp"
#include "bench/suites/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bench::suites {
namespace {

std::uint64_t part_of(std::uint64_t whole, double scale) {
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(std::llround(static_cast<double>(whole) * scale)),
                                 1);
}

const files_row* row_of(const result& measured, const std::string& store, const std::string& phase) {
  const auto found = std::ranges::find_if(
      measured.files, [&](const files_row& row) { return row.store == store && row.phase == phase; });
  return found == measured.files.end() ? nullptr : &*found;
}

/// Seconds of each repetition; empty where the phase was not measured.
std::vector<double> times_of(const result& measured, const std::string& store, const std::string& phase) {
  std::vector<double> times;
  const auto* row = row_of(measured, store, phase);
  if (row == nullptr) return times;
  for (const auto& timed : find_cell(measured.cells, row->cell)->rounds)
    times.push_back(static_cast<double>(timed.elapsed_ns) / 1e9);
  return times;
}

/// Registering and storing of each repetition that came through both.
std::vector<double> sums(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) all.push_back(a[i] + b[i]);
  return all;
}

std::string middle(const std::vector<double>& times) {
  return times.empty() ? "-" : fmt::format("{:.2f}", median(times));
}

std::string with_spread(const std::vector<double>& times) {
  if (times.size() < 2) return middle(times);
  const auto [least, most] = std::ranges::minmax(times);
  return fmt::format("{} ({:.2f}-{:.2f})", middle(times), least, most);
}

template <typename Number>
void raise(std::optional<Number>& most, const std::optional<Number>& value) {
  if (value) most = std::max(most.value_or(*value), *value);
}

std::string in_mb(const std::optional<std::int64_t>& bytes) {
  return bytes ? number(static_cast<double>(*bytes) / 1e6) : "-";
}

constexpr auto line = "  {:<18}{:>21}{:>10}{:>10}{:>21}{:>10}{:>9}{:>9}\n";

std::string measured_row(const result& measured, const std::string& store) {
  const auto registered = times_of(measured, store, "register"), stored = times_of(measured, store, "store");
  const auto threads =
      sums(times_of(measured, store, "register_threads"), times_of(measured, store, "store_threads"));
  std::optional<std::int64_t> disk, client, server;
  for (const auto& row : measured.files) {
    if (row.store != store) continue;
    raise(disk, row.disk_bytes);
    raise(client, row.client_peak_bytes);
    raise(server, row.server_peak_bytes);
  }
  const auto& peer = find_cell(measured.cells, row_of(measured, store, "register")->cell)->what.peer;
  return fmt::format(line, peer == "null" ? store + ", null" : store, with_spread(sums(registered, stored)),
                     middle(registered), middle(stored), with_spread(threads), in_mb(disk), in_mb(client),
                     in_mb(server));
}

std::string published_table() {
  return fmt::format(line, "2015: file system", "165 (164.8-166.3)", "53", "12.7", "170", "9300", "60", "") +
         fmt::format(line, "2015: SQL Server", "998", "34", "823", "840", "9800", "233", "1627") +
         fmt::format(line, "2015: GridFS", "921", "60", "766", "668 (583-740)", "12000", "", "all");
}

std::vector<std::string> stores_of(const result& measured) {
  std::vector<std::string> stores;
  for (const auto& row : measured.files) {
    if (row.phase == "register" && std::ranges::find(stores, row.store) == stores.end())
      stores.push_back(row.store);
  }
  return stores;
}

}  // namespace

files_options filestore_options(double scale) {
  files_options options;
  options.threads = 20;
  options.files = std::max(part_of(1000, scale), options.threads);  // one for each at least
  options.bytes = 10'000'000;
  options.per_thread = part_of(50, scale);
  options.repetitions = 5;
  return options;
}

std::string report_filestore(const result& measured, bool colour) {
  auto text =
      bold(fmt::format("filestore: files of {} bytes, {}", measured.files.front().file_bytes,
                       scale_clause(measured)),
           colour) +
      "\n\n" +
      fmt::format(line, "", "one thread", "register", "store", "all threads", "disk", "client", "server") +
      fmt::format(line, "writing", "s", "s", "s", "s", "MB", "MB RAM", "MB RAM");
  for (const auto& store : stores_of(measured)) text += measured_row(measured, store);
  text += published_table() + "\n" +
          paragraph(
              "Medians of the repetitions, with the least and the most: registering and storing together. "
              "2015: 1000 files and 20 "
              "threads x 50, .NET on an Athlon II X2 with a disk of 10,000 rpm, MongoDB 2.6.7, SQL Server "
              "Express 2012: context, not "
              "a target; its stores were restarted between the tests. bytea and lo stand where SQL Server's "
              "column stood.") +
          "\n";
  return text + report_files(measured, colour);
}

}  // namespace bench::suites
