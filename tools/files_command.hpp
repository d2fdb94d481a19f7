#pragma once
// What `files` is asked for, and doing it; `suite filestore` asks for the same under another name.

#include "bench/files.hpp"
#include "bench/report_files.hpp"

#include "tools/output.hpp"

#include <CLI/App.hpp>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace tools {

struct files_command {
  bench::files_options what;
  std::vector<std::string> stores;
  std::vector<std::string> against;
  pid_t server_pid = 0;
  std::int64_t chunk_bytes = 0;  ///< 0: as each store would choose
  bool durable = false;
  std::string folder;  ///< empty: $TMPDIR or /tmp
  double timeout_s = 30;
  output_options output;
  std::vector<std::string> command_line;  ///< for the context, which blanks its secrets

  std::string kind = "files";  ///< of the result; with a scale the name of its suite
  std::optional<double> scale{};
  result_report report = bench::report_files;
};

/// Stores, servers and where they are.
void add_file_stores(CLI::App& command, files_command& options);

/// The exit code.
int measure_files(const files_command& options);

}  // namespace tools
