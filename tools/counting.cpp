#include "tools/counting.hpp"

#include "bench/counting/pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace tools {

namespace fs = std::filesystem;

namespace {

/// The `loop` that does what the cell does, on a null server that passes itself off as the same.
bench::counting::words loop_of(const fs::path& program, const bench::labels& what, int cpu, std::uint64_t ops,
                               std::uint64_t warm_up) {
  bench::counting::words line{program.string(),
                              "loop",
                              what.client,
                              what.op,
                              fmt::format("{}", ops),
                              "--rung",
                              what.rung,
                              "--warm-up",
                              fmt::format("{}", warm_up),
                              "--cpu",
                              fmt::format("{}", cpu),
                              "--counts"};
  if (what.profile) line.insert(line.end(), {"--profile", *what.profile});
  return line;
}

}  // namespace

void count_cells(std::vector<bench::cell>& cells, const counting_options& how) {
  std::error_code ignored;
  const auto program = fs::read_symlink("/proc/self/exe", ignored);
  std::map<std::string, bench::cell_counts> counted;  // by op, rung and client
  for (std::size_t i = 0; i < cells.size() && !*how.stop; ++i) {
    const auto& what = cells[i].what;
    if (!counted_rungs.contains(what.rung) || what.peer != "null") continue;
    how.on_progress(static_cast<double>(i) / static_cast<double>(cells.size()), what.id);
    const auto key = fmt::format("{} {} {}", what.op, what.rung, what.client);
    if (!counted.contains(key)) {
      counted[key] = bench::counting::count_cell(
          {.command = [&](std::uint64_t ops,
                          std::uint64_t warm_up) { return loop_of(program, what, how.cpu, ops, warm_up); },
           .malloc_probe = program.parent_path() / "libwirebench_malloc_probe.so"},
          how.kinds);
    }
    cells[i].counts = counted[key];
  }
}

std::string check_kind(const std::string& word) {
  const auto& kinds = bench::counting::kinds;
  if (word == "all" || std::find(std::begin(kinds), std::end(kinds), word) != std::end(kinds)) return {};
  return fmt::format("there is nothing to count by the name '{}'; there are {}, and all", word,
                     fmt::join(kinds, ", "));
}

std::set<std::string> kinds_of(const std::vector<std::string>& words) {
  std::set<std::string> kinds(words.begin(), words.end());
  if (kinds.erase("all") != 0)
    kinds.insert(std::begin(bench::counting::kinds), std::end(bench::counting::kinds));
  return kinds;
}

}  // namespace tools
