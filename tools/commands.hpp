#pragma once
// The subcommands of wirebench, one file each: cmd_<name>.cpp. Each adds itself to the program; when it is chosen, its
// exit code ends up in `code`. The list is main's: nothing registers itself.

#include <CLI/App.hpp>

namespace tools {

void add_ladder(CLI::App& program, int& code);
void add_serve(CLI::App& program, int& code);
void add_doctor(CLI::App& program, int& code);
void add_loop(CLI::App& program, int& code);

}  // namespace tools
