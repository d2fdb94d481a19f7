#include "bench/counting/pass.hpp"

#include "bench/counting/callgrind.hpp"
#include "bench/counting/self_count.hpp"
#include "bench/counting/syscalls.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

namespace bench::counting {
namespace {

/// Calls per op below which a kind is left out: set-up and end differ by a futex or two between runs.
constexpr double rarest = 0.005;

constexpr bool sanitized = std::string_view(WIREBENCH_SANITIZERS) != "none";
constexpr const char* under_sanitizer = "a sanitizer brings a malloc and instructions of its own";

double per_op(std::uint64_t total, std::uint64_t ops) {
  return static_cast<double>(total) / static_cast<double>(ops);
}

/// What is left per op when set-up, which both runs have, cancels.
double per_op(std::uint64_t of_short_run, std::uint64_t of_long_run, std::uint64_t more_ops) {
  return (static_cast<double>(of_long_run) - static_cast<double>(of_short_run)) /
         static_cast<double>(more_ops);
}

absl::StatusOr<self_counts> run(const words& command, const words& variables = {}) {
  auto started = subprocess::start(command, variables);
  if (!started.ok()) return started.status();
  const auto text = started->wait();
  if (!text.ok()) return text.status();
  return self_counts_in(*text);
}

absl::Status count_memory(const loop_program& loop, cell_counts& to) {
  const auto counts = run(loop.command(loop.long_run, loop.warm_up));
  if (!counts.ok()) return counts.status();
  to.rss_peak_bytes = counts->rss_peak_bytes;
  if (counts->payload_copies_bytes)
    to.payload_copies_bytes = per_op(*counts->payload_copies_bytes, counts->ops);
  return absl::OkStatus();
}

absl::Status count_heap(const loop_program& loop, cell_counts& to) {
  if (sanitized) return absl::UnavailableError(under_sanitizer);
  const auto counts = run(loop.command(loop.heap_ops, loop.warm_up), {"LD_PRELOAD=" + loop.malloc_probe});
  if (!counts.ok()) return counts.status();
  if (!counts->heap) return absl::UnavailableError(fmt::format("cannot load {}", loop.malloc_probe));
  to.allocations = per_op(counts->heap->allocations, counts->ops);
  to.allocated_bytes = per_op(counts->heap->allocated_bytes, counts->ops);
  to.live_heap_peak_bytes = counts->heap->live_peak_bytes;
  to.heap_growth_bytes = counts->heap->growth_bytes;
  return absl::OkStatus();
}

/// LeakSanitizer stops threads by ptrace, which only one can do.
words without_leak_check() {
  if (!sanitized) return {};
  const char* const given = std::getenv("ASAN_OPTIONS");
  return {fmt::format("ASAN_OPTIONS={}:detect_leaks=0", given == nullptr ? "" : given)};
}

absl::Status count_calls(const loop_program& loop, cell_counts& to) {
  const auto few = count_syscalls(loop.command(loop.short_run, 0), without_leak_check());
  if (!few.ok()) return few.status();
  const auto many = count_syscalls(loop.command(loop.long_run, 0), without_leak_check());
  if (!many.ok()) return many.status();
  auto& kinds_of = to.syscalls_by_kind.emplace();
  for (const auto& [name, count] : *many) {
    const auto found = few->find(name);
    const auto before = found == few->end() ? 0 : found->second;
    const auto each = per_op(before, count, loop.long_run - loop.short_run);
    if (each >= rarest) kinds_of[name] = each;
  }
  return absl::OkStatus();
}

absl::Status count_under_callgrind(const loop_program& loop, cell_counts& to) {
  const auto valgrind = find_valgrind();
  if (!valgrind) {
    return absl::UnavailableError("valgrind is not installed, and perf_event has no hardware counters here");
  }
  auto few = callgrind_run::start(*valgrind, loop.command(loop.short_run, 0));
  if (!few.ok()) return few.status();
  auto many = callgrind_run::start(*valgrind, loop.command(loop.long_run, 0));
  if (!many.ok()) return many.status();
  const auto of_few = few->instructions();
  if (!of_few.ok()) return of_few.status();
  const auto of_many = many->instructions();
  if (!of_many.ok()) return of_many.status();
  to.instructions = per_op(*of_few, *of_many, loop.long_run - loop.short_run);
  to.instructions_by = "callgrind";
  return absl::OkStatus();
}

absl::Status count_instructions(const loop_program& loop, cell_counts& to) {
  if (sanitized) return absl::UnavailableError(under_sanitizer);
  const auto counts = run(loop.command(loop.long_run, loop.warm_up));
  if (!counts.ok()) return counts.status();
  if (!counts->instructions) return count_under_callgrind(loop, to);
  to.instructions = per_op(*counts->instructions, counts->ops);
  to.instructions_by = "perf_event";
  return absl::OkStatus();
}

}  // namespace

cell_counts count_cell(const loop_program& loop, const std::set<std::string>& wanted) {
  constexpr std::pair<const char*, absl::Status (*)(const loop_program&, cell_counts&)> passes[] = {
      {"memory", count_memory},
      {"heap", count_heap},
      {"syscalls", count_calls},
      {"instructions", count_instructions}};
  cell_counts counts;
  for (const auto& [kind, pass] : passes) {
    if (!wanted.contains(kind)) continue;
    if (const auto status = pass(loop, counts); !status.ok())
      counts.unknown[kind] = std::string(status.message());
  }
  return counts;
}

}  // namespace bench::counting
