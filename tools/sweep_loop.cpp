#include "tools/sweep_loop.hpp"

#include "bench/counting/pass.hpp"
#include "bench/counting/self_count.hpp"
#include "bench/placement.hpp"
#include "bench/sweep.hpp"

#include "tools/counting.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace tools {
namespace {

/// This very program's --loop on one cell, whose payload is one memory page again and again.
bench::counting::words loop_of(const sweep_command& options, const bench::labels& cell, std::uint64_t ops,
                               std::uint64_t warm_up) {
  std::error_code ignored;
  const bool raw = cell.client == "raw" || cell.client == bench::floor_strategy;
  const std::pair<const char*, std::string> given[] = {
      {"--framing", *cell.framing},
      {"--direction", *cell.direction},
      {"--strategy", raw ? *cell.strategy : bench::driver_strategy},
      {"--chunks", fmt::format("{}", *cell.chunk_bytes)},
      {"--file-size", fmt::format("{}", options.file_bytes)},
      {"--page-offset", fmt::format("{}", options.page_offset)},
      {"--walk", "1"},
      {"--window", fmt::format("{}", options.window)},
      {"--batch", fmt::format("{}", options.batch)},
      {"--receive", options.receive},
      {"--cpu", fmt::format("{}", options.cpu)},
      {"--timeout", fmt::format("{}", options.timeout_s)},
      {"--loop", fmt::format("{}", ops)},
      {"--loop-warm-up", fmt::format("{}", warm_up)}};
  bench::counting::words line{std::filesystem::read_symlink("/proc/self/exe", ignored).string(), "sweep"};
  for (const auto& [option, value] : given) line.insert(line.end(), {option, value});
  return line;
}

}  // namespace

absl::Status run_sweep_loop(const sweep_command& options, const std::vector<bench::cell_plan>& cells) {
  if (options.directions.size() != 1 || cells.size() != 2)  // the first one stands there twice
    return absl::InvalidArgumentError(
        "--loop is for one cell: name one framing, direction, strategy and chunk size, and no real server");
  const auto pinned = bench::pinned_thread::to(options.cpu);
  if (!pinned.ok()) return pinned.status();
  auto work = cells.front().open();
  if (!work.ok()) return work.status();
  if (auto status = (*work)->run(options.loop_warm_up); !status.ok()) return status;
  const auto counts = bench::counting::run_counted(**work, options.loop);
  if (!counts.ok()) return counts.status();
  fmt::print("{}", bench::counting::to_text(*counts));
  return (*work)->after();
}

bench::cell_counts count_in_loops(const sweep_command& options, const bench::labels& one) {
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  return bench::counting::count_cell(
      {.command = [&](std::uint64_t ops,
                      std::uint64_t warm_up) { return loop_of(options, one, ops, warm_up); },
       .malloc_probe = folder / "libwirebench_malloc_probe.so",
       .warm_up = 1,
       .heap_ops = 2,
       .short_run = 1,
       .long_run = 3},
      kinds_of(options.counts));
}

}  // namespace tools
