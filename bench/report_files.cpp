#include "bench/report_files.hpp"

#include "bench/report_text.hpp"
#include "bench/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace bench {
namespace {

/// The phases of one store with their cells.
struct store_view {
  std::vector<std::pair<const files_row*, const cell*>> rows;
};

std::vector<store_view> stores_of(const result& measured) {
  std::vector<std::string> names;
  std::vector<store_view> stores;
  for (const auto& row : measured.files) {
    auto at = std::find(names.begin(), names.end(), row.store) - names.begin();
    if (at == std::ssize(names)) {
      names.push_back(row.store);
      stores.emplace_back();
    }
    stores[static_cast<std::size_t>(at)].rows.emplace_back(&row, find_cell(measured.cells, row.cell));
  }
  return stores;
}

std::string plural(std::uint64_t count, const char* of) {
  return fmt::format("{} {}{}", count, of, count == 1 ? "" : "s");
}

std::string megabytes(const std::optional<std::int64_t>& bytes) {
  return bytes ? fmt::format("{:.1f} MB", static_cast<double>(*bytes) / 1e6) : "unknown";
}

std::string heading(const result& measured, bool colour) {
  std::uint64_t repetitions = 0;
  for (const auto& one : measured.cells)
    repetitions = std::max<std::uint64_t>(repetitions, one.rounds.size());
  return bold(fmt::format("files of {} bytes that do not compress, {}", measured.files.front().file_bytes,
                          plural(repetitions, "repetition")),
              colour) +
         "\n" +
         paragraph(
             "closed loop, client and server on any cpu; hashes were computed before the first phase; "
             "files were read soon after they were stored, from whatever cache holds them");
}

constexpr auto line = "  {:<17}{:>4}{:>8}{:>9}{:>10}{:>20}{:>9}{:>9}{:>9}{:>9}\n";

std::string table_head() {
  return fmt::format(line, "phase", "thr", "files", "s", "files/s", "", "MB/s", "p50 ms", "p90 ms", "p99 ms");
}

/// One repetition's time, the median of all.
std::string seconds(const cell& of) {
  std::vector<double> times;
  for (const auto& timed : of.rounds) times.push_back(static_cast<double>(timed.elapsed_ns) / 1e9);
  return times.empty() ? "-" : fmt::format("{:.3f}", median(times));
}

std::string per_second(const std::optional<double>& ns) {
  return ns ? number(1e9 / *ns) : "-";
}

/// The interval of files per second: that of the time, turned round.
std::string rate_range(const figures& of) {
  if (!of.lo_ns || !of.hi_ns) return "";
  return fmt::format("[{}, {}]", number(1e9 / *of.hi_ns), number(1e9 / *of.lo_ns));
}

std::string milliseconds(const std::optional<latency_summary>& of, double percent) {
  if (!of) return "-";
  const auto found = std::ranges::find(of->percentiles, percent, &reported_percentile::percent);
  if (found == of->percentiles.end() || !found->ns) return "-";
  return fmt::format("{:.3f}", static_cast<double>(*found->ns) / 1e6);
}

std::string throughput(const files_row& row, const cell& of) {
  if (row.payload_bytes == 0 || !of.per_op.median_ns) return "-";
  return number(static_cast<double>(row.file_bytes) * 1e3 / *of.per_op.median_ns);
}

std::string table(const store_view& store) {
  std::string lines;
  for (const auto& [row, of] : store.rows) {
    lines += fmt::format(line, row->phase, row->threads, row->files, seconds(*of),
                         per_second(of->per_op.median_ns), rate_range(of->per_op), throughput(*row, *of),
                         milliseconds(of->latency, 50), milliseconds(of->latency, 90),
                         milliseconds(of->latency, 99));
  }
  return lines;
}

/// The row in which that peak was the largest; null where nobody knows it.
const files_row* highest(const store_view& store, std::optional<std::int64_t> files_row::*peak) {
  const files_row* found = nullptr;
  for (const auto& [row, of] : store.rows) {
    if (row->*peak && (found == nullptr || *(row->*peak) > *(found->*peak))) found = row;
  }
  return found;
}

std::string memory_of(const store_view& store) {
  std::string text = "memory, peak: ";
  const auto* const client = highest(store, &files_row::client_peak_bytes);
  text += client == nullptr
              ? "client unknown"
              : fmt::format("client {} ({})", megabytes(client->client_peak_bytes), client->phase);
  const auto* const server = highest(store, &files_row::server_peak_bytes);
  if (server != nullptr) {
    const bool one = server->server_processes == 1;
    text += fmt::format(
        ", server {} ({}{})", megabytes(server->server_peak_bytes), server->phase,
        one ? "" : fmt::format("; {} processes, shared memory counted once", server->server_processes));
  } else if (store.rows.front().second->what.transport != "file") {
    text += ", server unknown";
  }
  const bool of_phase =
      std::ranges::all_of(store.rows, [](const auto& one) { return one.first->peaks_of_phase; });
  if (!of_phase) text += "; of a process that may not be reset, since it began";
  return paragraph(text);
}

std::string disk_of(const store_view& store) {
  std::optional<std::int64_t> most;
  for (const auto& [row, of] : store.rows) {
    if (row->disk_bytes) most = std::max(most.value_or(*row->disk_bytes), *row->disk_bytes);
  }
  const auto* const what = &store.rows.front().second->what;
  if (!most)
    return paragraph(what->rung == "tcp0" ? "disk: none, a null server stores nothing" : "disk: unknown");
  return paragraph(fmt::format("disk: {} more than before the first file, as {} tells", megabytes(most),
                               what->transport == "file" ? "the file system" : "the server"));
}

std::string duplicates_of(const store_view& store) {
  std::uint64_t known = 0;
  std::uint64_t entered = 0;
  for (const auto& [row, of] : store.rows) {
    if (!row->phase.starts_with("register")) continue;
    known += row->duplicates;
    entered += row->files;
  }
  if (known == 0) return {};
  return paragraph(fmt::format("duplicates: {} of {} contents were known by their hash and not stored again",
                               known, entered));
}

std::string check_of(const store_view& store) {
  for (const auto& [row, of] : store.rows) {
    if (row->check == "bytes")
      return paragraph("reading: every byte was compared with what was stored, in the timed part, by memcmp");
    if (row->check == "length")
      return paragraph("reading: a null server keeps no contents, so that lengths alone were checked");
  }
  return {};
}

std::string kinds(const store_view& store, const char* label,
                  std::vector<load::error_kind> files_row::*list) {
  std::map<std::string, load::error_kind> sums;
  for (const auto& [row, of] : store.rows) {
    for (const auto& one : row->*list) {
      const auto [at, added] = sums.emplace(one.kind, one);
      if (!added) at->second.count += one.count;
    }
  }
  std::string lines;
  for (const auto& [kind, all] : sums)
    lines += paragraph(fmt::format("{}: {} x {}; the first: {}", label, all.count, kind, all.first));
  return lines.empty() ? paragraph(fmt::format("{}: none", label)) : lines;
}

std::string title(const store_view& store, bool colour) {
  const auto& [row, of] = store.rows.front();
  const auto server = of->what.transport == "file"
                          ? of->what.peer
                          : fmt::format("{} over {}", of->what.peer, of->what.transport);
  return "\n" + bold(row->store, colour) + fmt::format(" on {}\n", server) + paragraph(row->how);
}

}  // namespace

std::string report_files(const result& measured, bool colour) {
  std::string text;
  for (const auto& doubt : measured.warnings) text += warning_lines(doubt);
  if (!text.empty()) text += "\n";
  text += heading(measured, colour);
  for (const auto& store : stores_of(measured)) {
    text += title(store, colour) + table_head() + table(store) + duplicates_of(store) + check_of(store) +
            memory_of(store) + disk_of(store) + kinds(store, "errors", &files_row::errors) +
            kinds(store, "retries", &files_row::retries);
  }
  return text + "\n" +
         paragraph(
             "s: of one repetition, the median. MB/s: millions of bytes of contents. Percentiles: of single "
             "files of all repetitions, retries included; - where too few files lie above one.") +
         "\n";
}

}  // namespace bench
