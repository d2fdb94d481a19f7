#include "bench/report_counts.hpp"

#include "bench/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace bench {
namespace {

std::string bytes(const std::optional<std::int64_t>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

/// Instructions: a run of 1000 ops has no use for digits behind the point.
std::string whole(const std::optional<double>& value) {
  return value ? fmt::format("{:.0f}", *value) : "-";
}

std::string megabytes(const std::optional<std::int64_t>& value) {
  return value ? number(static_cast<double>(*value) / 1e6) : "-";
}

/// "1 sendmsg, 1 recvfrom", the most frequent first.
std::string system_calls(const std::optional<std::map<std::string, double>>& by_kind) {
  if (!by_kind) return "-";
  if (by_kind->empty()) return "none";
  std::vector<std::pair<double, std::string>> calls;
  for (const auto& [name, calls_per_op] : *by_kind) calls.emplace_back(-calls_per_op, name);
  std::sort(calls.begin(), calls.end());
  std::string text;
  for (const auto& [negative, name] : calls)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count(-negative), name);
  return text;
}

std::string row_of(const cell& one) {
  const auto& counts = *one.counts;
  return fmt::format("  {:<7}{:<10}{:>11}{:>8}{:>10}{:>8}{:>10}{:>9}{:>7}  {}\n", one.what.rung,
                     one.what.client, whole(counts.instructions), count(counts.allocations),
                     count(counts.allocated_bytes), count(counts.payload_copies_bytes),
                     bytes(counts.live_heap_peak_bytes), bytes(counts.heap_growth_bytes),
                     megabytes(counts.rss_peak_bytes), system_calls(counts.syscalls_by_kind));
}

/// "raw 1299 instructions per op, 0.036 times libmongoc's 36014", for each driver.
std::string instruction_sentences(const std::vector<const cell*>& cells) {
  const auto raw = std::find_if(cells.begin(), cells.end(), [](const cell* one) {
    return one->what.rung == "tcp0" && one->what.client == "raw";
  });
  std::string lines;
  if (raw == cells.end() || !(*raw)->counts->instructions) return lines;
  const auto own = *(*raw)->counts->instructions;
  for (const auto* one : cells) {
    if (one->what.rung != "driver" || !one->counts->instructions) continue;
    lines += paragraph(
        fmt::format("raw executes {:.0f} instructions per op in user space, {:.3f} times {}'s {:.0f} ({})",
                    own, own / *one->counts->instructions, one->what.client, *one->counts->instructions,
                    one->counts->instructions_by));
  }
  return lines;
}

/// Each reason once.
std::string reasons(const std::vector<const cell*>& cells) {
  std::set<std::pair<std::string, std::string>> known;
  std::string lines;
  for (const auto* one : cells) {
    for (const auto& [kind, why] : one->counts->unknown) {
      if (known.emplace(kind, why).second) lines += paragraph(fmt::format("not counted, {}: {}", kind, why));
    }
  }
  return lines;
}

}  // namespace

std::string counts_table(const std::vector<const cell*>& cells) {
  std::vector<const cell*> counted;
  std::set<std::string> shown;  // raw and raw again were counted once
  for (const auto* one : cells) {
    if (one->counts && shown.insert(one->what.rung + one->what.client).second) counted.push_back(one);
  }
  if (counted.empty()) return "";
  std::string lines = fmt::format("\n  {:<17}{:>11}{:>8}{:>10}{:>8}{:>10}{:>9}{:>7}\n", "counted apart",
                                  "instruc-", "alloca-", "allocated", "copied", "heap peak", "growth", "RSS");
  lines += fmt::format("  {:<17}{:>11}{:>8}{:>10}{:>8}{:>10}{:>9}{:>7}  {}\n", "per op", "tions", "tions",
                       "bytes", "bytes", "of 16 ops", "of 16", "MB", "system calls");
  for (const auto* one : counted) lines += row_of(*one);
  return lines + instruction_sentences(counted) + reasons(counted);
}

}  // namespace bench
