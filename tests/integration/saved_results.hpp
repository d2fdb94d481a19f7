#pragma once
// Result files by hand, for the subcommands that read them.

#include "bench/report_json.hpp"

#include "tests/bench/made_result.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace tests {

/// Writes `text` to a file in `place` and returns its path.
inline std::string file_in(const std::string& folder, const std::string& name, const std::string& text) {
  const auto path = folder + "/" + name;
  std::ofstream(path) << text;
  return path;
}

/// made_result(), with libmongoc's times multiplied by `factor`.
inline bench::result with_driver_times(double factor) {
  auto made = bench::made_result();
  auto& driver = made.cells.back();
  for (auto& timed : driver.rounds)
    timed.elapsed_ns = static_cast<std::int64_t>(static_cast<double>(timed.elapsed_ns) * factor);
  bench::summarize(driver);
  made.comparisons = bench::compare(made.cells, made.plan.delta);
  return made;
}

}  // namespace tests
