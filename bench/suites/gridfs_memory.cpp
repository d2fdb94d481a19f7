#include "bench/suites/gridfs_memory.hpp"

#include "wire/strategy/source.hpp"

#include "bench/report_text.hpp"
#include "bench/schedule.hpp"
#include "bench/suites/suite.hpp"
#include "bench/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench::suites {
namespace {

constexpr double mib = 1024 * 1024;
constexpr std::int64_t largest_chunk =
    16 * 1024 * 1024 - 62;  // a document of 16 MiB without what stands around the payload

std::string in_mib(const std::optional<std::int64_t>& bytes) {
  return bytes ? fmt::format("{:.2f}", static_cast<double>(*bytes) / mib) : "-";
}

std::string client_of(const labels& what) {
  return what.strategy.value_or(what.client);
}

std::vector<const memory_row*> rows_of(const result& measured, const cell& one) {
  std::vector<const memory_row*> rows;
  for (const auto& row : measured.memory) {
    if (row.cell == one.what.id) rows.push_back(&row);
  }
  return rows;
}

constexpr auto line = "  {:<17}{:>5} {:>2}  {:<25}{:>8}{:>10}{:>9}{:>9}{:>8}{:>7}{:>5}\n";

std::string whole(const std::optional<std::uint64_t>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string table_head() {
  return fmt::format(line, "", "", "", "", "stored", "live heap", "real", "anon", "minor", "mmap", "brk") +
         fmt::format(line, "client", "chunk", "it", "file id", "MB", "peak MiB", "peak", "peak", "faults",
                     "calls", "");
}

std::string table_rows(const result& measured, const cell& one) {
  std::string lines;
  for (const auto* row : rows_of(measured, one)) {
    const bool first = lines.empty();
    lines += fmt::format(
        line, first ? client_of(one.what) : "", first ? size_name(one.what.chunk_bytes.value_or(0)) : "",
        row->iteration, row->file_id, fmt::format("{:.2f}", static_cast<double>(row->file_bytes) / 1e6),
        in_mib(row->live_heap_peak_bytes), in_mib(row->rss_peak_bytes), in_mib(row->anon_peak_bytes),
        row->minor_faults, whole(row->mmap_calls), whole(row->brk_calls));
  }
  return lines;
}

const cell* cell_of(const result& measured, const std::string& client, std::int64_t chunk_bytes) {
  const auto found = std::ranges::find_if(measured.cells, [&](const cell& one) {
    return client_of(one.what) == client && one.what.chunk_bytes == chunk_bytes;
  });
  return found == measured.cells.end() ? nullptr : &*found;
}

std::int64_t real_peak(const std::vector<const memory_row*>& rows) {
  std::int64_t peak = 0;
  for (const auto* row : rows) peak = std::max(peak, row->rss_peak_bytes.value_or(0));
  return peak;
}

/// What has a share of this or less between the two is called the same.
constexpr double alike = 1.25;

bool differ(double a, double b) {
  return a > alike * b || b > alike * a;
}

/// Why one of two files costs more page faults, where the counts say so.
std::string cause(const memory_row& a, const memory_row& b) {
  if (!a.mmap_calls || !b.mmap_calls || !a.brk_calls || !b.brk_calls)
    return "; calls of mmap and brk were not counted, which would tell why";
  const bool a_costs_more = a.minor_faults > b.minor_faults;
  const auto tells = [a_costs_more](std::uint64_t of_a, std::uint64_t of_b) {
    return differ(static_cast<double>(of_a), static_cast<double>(of_b)) && (of_a > of_b) == a_costs_more;
  };
  auto text = fmt::format("; calls of mmap {} against {}, of brk {} against {}", *a.mmap_calls, *b.mmap_calls,
                          *a.brk_calls, *b.brk_calls);
  if (tells(*a.mmap_calls, *b.mmap_calls)) {
    return text +
           ": glibc gives a block above its threshold a mapping of its own and takes that away when the "
           "block is freed, so that its pages are faulted in anew each time, until a freed block has raised "
           "the threshold";
  }
  if (tells(*a.brk_calls, *b.brk_calls)) {
    return text +
           ": glibc gives the end of the heap back to the kernel when more than its threshold is free there, "
           "and takes it again for the next chunk, so that its pages are faulted in anew; at one size that "
           "happens more often per chunk than at the other";
  }
  return text + ": these do not tell why";
}

/// The question of 2015: 255 KiB against 256 KiB, by one client.
std::string answer(const result& measured, const std::string& client) {
  const auto* small = cell_of(measured, client, 255 * 1024);
  const auto* large = cell_of(measured, client, 256 * 1024);
  if (small == nullptr || large == nullptr) return {};
  const auto a = rows_of(measured, *small), b = rows_of(measured, *large);
  if (a.empty() || b.empty()) return {};
  auto text = fmt::format("{}, 255K against 256K: real peak {} against {} MiB", client, in_mib(real_peak(a)),
                          in_mib(real_peak(b)));
  const auto faults_of_a = static_cast<double>(a.front()->minor_faults);
  const auto faults_of_b = static_cast<double>(b.front()->minor_faults);
  if (!differ(faults_of_a, faults_of_b)) return paragraph(text + "; page faults alike");
  return paragraph(text +
                   fmt::format("; first file: page faults {} against {}", a.front()->minor_faults,
                               b.front()->minor_faults) +
                   cause(*a.front(), *b.front()));
}

/// Of the drivers, which have heaps that nobody here has laid out.
std::string answers(const result& measured) {
  return answer(measured, libmongoc_bucket) + answer(measured, libmongoc_legacy);
}

/// PHP driver 1.6.9 (MongoGridFS::storeFile), server 3.0.4, 357 MB of random bytes.
struct published {
  const char* chunk;
  const char* logical;
  const char* real;
};
constexpr published php_2015[] = {{"255K", "2.34 / 2.38 / 2.40", "217.75 / 230.00 / 230.00"},
                                  {"256K", "2.27 / 2.28 / 2.30", "3.25 / 3.25 / 3.25"},
                                  {"1M", "3.58 / 3.59 / 3.59", "4.50 / 4.50 / 4.50"}};

std::string published_table() {
  std::string lines = paragraph(
      "published in 2015, on another machine, with another server and another driver (PHP 1.6.9; 356.13 MB "
      "stored): context, not a "
      "target; peaks in MB, iterations 0 / 1 / 2");
  for (const auto& row : php_2015)
    lines += fmt::format("  {:<17}{:>6}     logical {:<24} real {}\n", "php, 2015", row.chunk, row.logical,
                         row.real);
  return lines;
}

}  // namespace

std::vector<std::string> gridfs_memory_clients() {
  std::vector<std::string> names;
  for (const auto& strategy : wire::source_strategies()) names.emplace_back(strategy.name);
  names.insert(names.end(), {libmongoc_bucket, libmongoc_legacy});
  return names;
}

absl::Status check(const gridfs_memory_options& options) {
  for (const auto bytes : options.chunk_bytes) {
    if (bytes <= largest_chunk) continue;
    return absl::InvalidArgumentError(
        fmt::format("a chunk of {} bytes does not fit a document: at most {} do", bytes, largest_chunk));
  }
  return absl::OkStatus();
}

std::vector<labels> plan_gridfs_memory(const gridfs_memory_options& options, const std::string& peer) {
  std::vector<labels> cells;
  for (const auto& client : options.clients) {
    const bool driver = client == libmongoc_bucket || client == libmongoc_legacy;
    for (const auto bytes : options.chunk_bytes) {
      cells.push_back({.id = fmt::format("upload/gridfs/{}/{}", client, size_name(bytes)),
                       .op = "upload",
                       .rung = peer == "null" ? "null" : "real",
                       .client = driver ? libmongoc_bucket : "raw",
                       .peer = peer,
                       .transport = "tcp",
                       .placement = "unpinned",
                       .framing = "gridfs",
                       .direction = "upload",
                       .strategy = client,
                       .chunk_bytes = bytes,
                       .payload_bytes = options.file_bytes});
    }
  }
  return cells;
}

std::vector<std::size_t> order_of(std::size_t cells, std::uint64_t seed) {
  return latin_row(cells, 0, seed);
}

std::string report_gridfs_memory(const result& measured, bool colour) {
  std::string text;
  for (const auto& doubt : measured.warnings) text += warning_lines(doubt);
  if (measured.cells.empty()) return text;
  const auto& first = measured.cells.front().what;
  text +=
      bold(fmt::format("gridfs-memory: a file of {:.2f} MB, {}",
                       static_cast<double>(first.payload_bytes.value_or(0)) / 1e6, scale_clause(measured)),
           colour) +
      "\n" +
      paragraph(fmt::format("against {}; every client and chunk size in a fresh process, in a random order",
                            first.peer)) +
      "\n" + table_head();
  for (const auto& one : measured.cells) text += table_rows(measured, one);
  text += "\n" + paragraph(
                     "live heap: what malloc has given out and not got back, above the iteration's "
                     "beginning, C libraries included. real: "
                     "VmHWM since the process's start, with the program itself and mapped files. anon: "
                     "RssAnon, the largest of readings about "
                     "every millisecond. mmap and brk calls: counted in runs of their own, of the first file "
                     "and of one more. Socket buffers are in none of them.");
  text += answers(measured);
  return text + "\n" + published_table() + "\n";
}

}  // namespace bench::suites
