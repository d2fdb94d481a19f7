#include "bench/report_docs.hpp"

#include "bench/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

double seconds(const docs_row& row) {
  return static_cast<double>(row.elapsed_ns) / 1e9;
}

double per_second(const docs_row& row) {
  return static_cast<double>(row.documents) / seconds(row);
}

/// Share of one cpu in per cent.
std::string cpu(const docs_row& row, const std::optional<std::int64_t>& used_ns) {
  if (!used_ns) return "-";
  return fmt::format("{:.1f}", 100 * static_cast<double>(*used_ns) / static_cast<double>(row.elapsed_ns));
}

std::string whole(const std::optional<std::uint64_t>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string plural(std::uint64_t count, const char* of) {
  return fmt::format("{} {}{}", count, of, count == 1 ? "" : "s");
}

/// The rows of one test with their cells; all of them have the same parameters.
struct test_view {
  std::string op;
  std::vector<std::pair<const docs_row*, const cell*>> rows;
};

std::vector<test_view> tests_of(const result& measured) {
  std::vector<test_view> tests;
  for (const auto& row : measured.docs) {
    const auto* of = find_cell(measured.cells, row.cell);
    if (tests.empty() || tests.back().op != of->what.op) tests.push_back({of->what.op, {}});
    tests.back().rows.emplace_back(&row, of);
  }
  return tests;
}

std::string heading(const result& measured, bool colour) {
  const auto& row = measured.docs.front();
  std::string peers;
  for (const auto& one : measured.docs) {
    const auto& what = find_cell(measured.cells, one.cell)->what;
    const auto peer = fmt::format("{} ({})", what.peer, what.placement);
    if (peers.find(peer) == std::string::npos) peers += (peers.empty() ? "" : ", ") + peer;
  }
  return bold(fmt::format("documents of {} bytes, {} per command, {}", row.document_bytes, row.batch,
                          plural(row.threads, "thread")),
              colour) +
         "\n" +
         paragraph(fmt::format("against {}; clients on cpu {}, closed loop", peers, measured.plan.cpu));
}

constexpr auto line = "  {:<5}{:<10}{:>9}{:>9}{:>11}{:>8}{:>12}{:>12}{:>12}{:>7}{:>7}{:>5}\n";

std::string table_head() {
  return fmt::format(line, "", "", "", "", "", "", "bytes", "bytes", "bytes", "server", "client", "") +
         fmt::format(line, "on", "client", "docs", "s", "n/s", "MB/s", "sent", "received", "stored", "cpu %",
                     "cpu %", "err");
}

std::string table(const test_view& test) {
  std::string lines;
  for (const auto& [row, of] : test.rows) {
    lines += fmt::format(line, of->what.rung == "real" ? "real" : "null", of->what.client, row->documents,
                         fmt::format("{:.3f}", seconds(*row)), fmt::format("{:.0f}", per_second(*row)),
                         number(static_cast<double>(row->payload_bytes) / 1e6 / seconds(*row)),
                         whole(row->bytes_out), whole(row->bytes_in), whole(row->stored_bytes),
                         cpu(*row, row->server_cpu_ns), cpu(*row, row->client_cpu_ns), row->errors);
  }
  return lines;
}

std::string comparisons(const result& measured, const test_view& test) {
  std::string lines;
  for (const auto& pair : measured.comparisons) {
    if (pair.op != test.op || pair.asks != question::overhead) continue;
    const auto& driver = find_cell(measured.cells, pair.b)->what;
    lines += paragraph(fmt::format(
        "{} over raw{}: {} times the time, {} us per document; {} rows, interleaved", driver.client,
        driver.rung == "real" ? " on " + driver.peer : "",
        with_range(pair.ratio, pair.lo, pair.hi, 1, ratio_number),
        with_range(pair.difference_ns, pair.difference_lo_ns, pair.difference_hi_ns, 1e3, signed_number),
        pair.rows));
  }
  return lines;
}

std::string warnings_of(const result& measured, const std::string& op) {
  std::string lines;
  for (const auto& doubt : measured.warnings) {
    if (doubt.op == op) lines += warning_lines(doubt);
  }
  return lines;
}

/// What mongo_bench published of MongoDB 2.4.3 on a machine of 2013; empty where it named the test without a figure.
struct published {
  const char* op;
  std::uint64_t documents;
  std::uint64_t threads;
  std::optional<double> seconds;
  std::optional<double> server_cpu;
  std::optional<std::uint64_t> per_second;
  std::optional<std::uint64_t> stored;
  std::optional<std::uint64_t> moved;
  std::optional<double> mib_per_second;
};

constexpr auto unknown = std::nullopt;
const published mongo_bench[] = {
    {"insert", 1'000'000, 10, 47.87, 124.9, 20'892, 408'000'000, 385'000'000, 7.67},
    {"update_double", 1'000'000, 1, 9.62, 88.5, 103'922, unknown, 21'000'000, unknown},
    {"update_int64", 1'000'000, 1, 34.61, 96.2, 28'894, unknown, unknown, unknown},
    {"find_in", 40'000, 1, 0.367, 27.3, 109'052, unknown, 15'560'000, 40.5},
    {"find_range", 40'000, 1, 0.093, 86.3, 431'555, unknown, unknown, 160},
};

constexpr auto bench_line = "  {:<14}{:<16}{:>9}{:>4}{:>8}{:>7}{:>9}{:>12}{:>12}{:>7}{:>8}\n";

std::string bench_row(const docs_row& row, const cell& of) {
  constexpr double gib = 1 << 30;
  constexpr double mib = 1 << 20;
  const auto moved = static_cast<double>(row.payload_bytes);
  const auto who = fmt::format("{}, {}", of.what.client, of.what.rung == "real" ? "real" : "null");
  return fmt::format(bench_line, of.what.op, who, row.documents, row.threads,
                     fmt::format("{:.3f}", seconds(row)), cpu(row, row.server_cpu_ns),
                     fmt::format("{:.0f}", per_second(row)), whole(row.stored_bytes), row.payload_bytes,
                     fmt::format("{:.3f}", moved / gib), number(moved / mib / seconds(row)));
}

std::string bench_row(const published& row) {
  const auto figure = [](const std::optional<double>& value, const char* form) {
    return value ? fmt::format(fmt::runtime(form), *value) : "-";
  };
  const auto gib = row.moved ? std::optional(static_cast<double>(*row.moved) / (1 << 30)) : std::nullopt;
  return fmt::format(bench_line, row.op, "(mongo_bench)", row.documents, row.threads,
                     figure(row.seconds, "{:g}"), figure(row.server_cpu, "{:g}"), whole(row.per_second),
                     whole(row.stored), whole(row.moved), figure(gib, "{:.3f}"),
                     figure(row.mib_per_second, "{:g}"));
}

}  // namespace

std::string report_docs(const result& measured, bool colour) {
  std::string text;
  for (const auto& doubt : measured.warnings) {
    if (doubt.op.empty()) text += warning_lines(doubt);
  }
  if (!text.empty()) text += "\n";
  text += heading(measured, colour) + "\n" + table_head();
  for (const auto& test : tests_of(measured)) {
    text += "\n" + bold(test.op, colour) + "\n" + warnings_of(measured, test.op) + table(test) +
            comparisons(measured, test);
  }
  return text + "\n";
}

std::string report_mongo_bench(const result& measured) {
  auto text = fmt::format(bench_line, "test", "client, server", "docs", "thr", "time s", "cpu %", "n/s",
                          "collection", "moved", "GB", "MB/s");
  for (const auto& test : tests_of(measured)) {
    for (const auto& [row, of] : test.rows) text += bench_row(*row, *of);
    const auto theirs = std::find_if(std::begin(mongo_bench), std::end(mongo_bench),
                                     [&](const published& one) { return one.op == test.op; });
    if (theirs != std::end(mongo_bench)) text += bench_row(*theirs);
  }
  text += "\n" + paragraph(
                     "cpu %: of the server's process. collection, moved: bytes of documents (of an update, "
                     "of what it sets); "
                     "GB and MB are 2^30 and 2^20 bytes. (mongo_bench): MongoDB 2.4.3 on its author's "
                     "machine of 2013, as "
                     "context and not as a target.");
  return text + "\n";
}

}  // namespace bench
