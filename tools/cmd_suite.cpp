// wirebench suite: measurements that were once made and published, made again.

#include "bench/suites/suite.hpp"

#include "tools/commands.hpp"
#include "tools/suites.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tools {

CLI::Option* add_scale(CLI::App& command, double& scale) {
  const auto check = [](const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && rest == end && value > 0 && value <= 1) return std::string();  // not NaN
    return fmt::format("'{}' is not a part of the published size: above 0 and at most 1", text);
  };
  return command.add_option("--scale", scale, "part of the published size; 1: all of it")
      ->check(check)
      ->type_name("SHARE")
      ->capture_default_str();
}

std::uint64_t scaled(std::uint64_t whole, double scale) {
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(std::llround(static_cast<double>(whole) * scale)),
                                 1);
}

void add_suite(CLI::App& program, const std::vector<std::string>& command_line, int& code) {
  std::string help =
      "Measurements that somebody once made with a program of his own, made again, with what was published "
      "beside: as context,\n"
      "never as a target.\n\n"
      "  wirebench suite gridfs-memory\n"
      "  wirebench suite gridfs-memory --scale 1 --real mongo\n\n"
      "Suites:";
  for (const auto& one : bench::suites::all()) help += fmt::format("\n  {:<15} {}", one.name, one.summary);
  auto* command = program.add_subcommand("suite", help);
  command->require_subcommand(1);
  add_gridfs_memory(*command, command_line, code);
  add_gridfs_vs_lo(*command, command_line, code);
  add_filestore(*command, command_line, code);
}

}  // namespace tools
