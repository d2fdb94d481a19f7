#pragma once
// The suites of `wirebench suite`, one file each: suite_<name>.cpp. Each adds itself to the subcommand, as subcommands do to the
// program (commands.hpp).

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace tools {

void add_gridfs_memory(CLI::App& suites, const std::vector<std::string>& command_line, int& code);
void add_gridfs_vs_lo(CLI::App& suites, const std::vector<std::string>& command_line, int& code);
void add_filestore(CLI::App& suites, const std::vector<std::string>& command_line, int& code);

/// --scale: a part of the published size, above 0 and at most 1.
CLI::Option* add_scale(CLI::App& command, double& scale);

/// That part of `whole`, at least one.
std::uint64_t scaled(std::uint64_t whole, double scale);

}  // namespace tools
