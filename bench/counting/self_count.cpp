#include "bench/counting/self_count.hpp"

#include "bench/counting/heap_probe.hpp"
#include "bench/counting/perf_counter.hpp"
#include "bench/system_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace bench::counting {
namespace {

/// The whole number behind "name " at the beginning of a line.
template <typename Number>
bool find_line(std::string_view text, std::string_view name, Number& value) {
  std::size_t line = 0;
  while (line < text.size()) {
    const auto rest = text.substr(line);
    if (rest.starts_with(name) && rest.substr(name.size()).starts_with(' ')) {
      const char* const begin = rest.data() + name.size() + 1;
      return std::from_chars(begin, rest.data() + rest.size(), value).ec == std::errc{};
    }
    const auto end = text.find('\n', line);
    line = end == std::string_view::npos ? text.size() : end + 1;
  }
  return false;
}

template <typename Number>
std::optional<Number> line_of(std::string_view text, std::string_view name) {
  Number value{};
  return find_line(text, name, value) ? std::optional(value) : std::nullopt;
}

}  // namespace

absl::StatusOr<self_counts> run_counted(workload& work, std::uint64_t ops) {
  const heap_probe heap;
  const auto instructions = perf_counter::user_instructions();
  const auto copies_before = work.copied_bytes();
  const auto instructions_before = instructions.read();
  if (heap.loaded()) heap.begin();
  const auto status = work.run(ops);
  self_counts counts{.ops = ops};
  if (heap.loaded()) counts.heap = heap.end();
  const auto instructions_after = instructions.read();
  if (!status.ok()) return status;
  if (instructions_before && instructions_after)
    counts.instructions =
        static_cast<std::uint64_t>(std::llround(*instructions_after - *instructions_before));
  if (copies_before) counts.payload_copies_bytes = *work.copied_bytes() - *copies_before;
  counts.rss_peak_bytes = peak_rss_bytes_in(read_system_file("/proc/self/status"));
  return counts;
}

std::string to_text(const self_counts& counts) {
  auto text = fmt::format("ops {}\n", counts.ops);
  const auto add = [&text](const char* name, const auto& value) {
    if (value) text += fmt::format("{} {}\n", name, *value);
  };
  add("instructions", counts.instructions);
  if (counts.heap) {
    text += fmt::format("allocations {}\nallocated_bytes {}\nlive_heap_peak_bytes {}\nheap_growth_bytes {}\n",
                        counts.heap->allocations, counts.heap->allocated_bytes, counts.heap->live_peak_bytes,
                        counts.heap->growth_bytes);
  }
  add("payload_copies_bytes", counts.payload_copies_bytes);
  add("rss_peak_bytes", counts.rss_peak_bytes);
  return text;
}

self_counts self_counts_in(std::string_view text) {
  self_counts counts;
  find_line(text, "ops", counts.ops);
  counts.instructions = line_of<std::uint64_t>(text, "instructions");
  heap_counts heap{};
  if (find_line(text, "allocations", heap.allocations) &&
      find_line(text, "allocated_bytes", heap.allocated_bytes) &&
      find_line(text, "live_heap_peak_bytes", heap.live_peak_bytes) &&
      find_line(text, "heap_growth_bytes", heap.growth_bytes)) {
    counts.heap = heap;
  }
  counts.payload_copies_bytes = line_of<std::uint64_t>(text, "payload_copies_bytes");
  counts.rss_peak_bytes = line_of<std::int64_t>(text, "rss_peak_bytes");
  return counts;
}

std::optional<std::int64_t> peak_rss_bytes_in(std::string_view status) {
  return status_bytes_in(status, "VmHWM:");
}

/// "VmHWM:\t   12345 kB"
std::optional<std::int64_t> status_bytes_in(std::string_view status, std::string_view label) {
  const auto found = status.find(label);
  if (found == std::string_view::npos) return std::nullopt;
  const auto digits = status.find_first_not_of(" \t", found + label.size());
  if (digits == std::string_view::npos) return std::nullopt;
  std::int64_t kibibytes = 0;
  const auto [end, error] = std::from_chars(status.data() + digits, status.data() + status.size(), kibibytes);
  return error == std::errc{} ? std::optional(kibibytes * 1024) : std::nullopt;
}

}  // namespace bench::counting
