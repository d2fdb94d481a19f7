#pragma once
// The subcommands of wirebench, one file each: cmd_<name>.cpp. Each adds itself to the program; when it is chosen, its
// exit code ends up in `code`. The list is main's: nothing registers itself.

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace tools {

/// `command_line` becomes part of the result's context.
void add_ladder(CLI::App& program, const std::vector<std::string>& command_line, int& code);
void add_run(CLI::App& program, const std::vector<std::string>& command_line, int& code);
void add_docs(CLI::App& program, const std::vector<std::string>& command_line, int& code);
void add_sweep(CLI::App& program, const std::vector<std::string>& command_line, int& code);
void add_files(CLI::App& program, const std::vector<std::string>& command_line, int& code);
void add_put(CLI::App& program, const std::vector<std::string>& command_line, int& code);
void add_suite(CLI::App& program, const std::vector<std::string>& command_line, int& code);
void add_serve(CLI::App& program, int& code);
void add_doctor(CLI::App& program, int& code);
void add_loop(CLI::App& program, int& code);
void add_report(CLI::App& program, int& code);
void add_compare(CLI::App& program, int& code);

}  // namespace tools
