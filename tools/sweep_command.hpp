#pragma once
// What `wirebench sweep` is asked for.

#include "tools/output.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tools {

inline constexpr double default_s_per_cell = 3;

struct sweep_command {
  std::vector<std::string> framings;
  std::vector<std::string> directions = {"upload"};
  std::vector<std::string> strategies;
  std::vector<std::int64_t> chunk_bytes = {64 * 1024, 255 * 1024, 256 * 1024, 1024 * 1024};
  std::int64_t file_bytes = 16 * 1024 * 1024;
  std::int64_t walk_bytes = 256 * 1024 * 1024;
  std::int64_t page_offset = 0;
  std::size_t window = 1;
  std::size_t batch = 1;
  std::string receive = "store";
  std::vector<std::string> against;
  double budget_s = 0;  ///< per direction; 0: default_s_per_cell each
  std::uint64_t seed = 1;
  int cpu = 0;
  double timeout_s = 10;
  std::vector<std::string> counts;
  std::uint64_t loop = 0;  ///< files of one cell, in place of a sweep
  std::uint64_t loop_warm_up = 1;
  output_options output;
  std::vector<std::string> command_line;  ///< for the context, which blanks its secrets

  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(timeout_s * 1000));
  }
};

}  // namespace tools
