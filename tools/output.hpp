#pragma once
// What a measurement leaves behind: the saved result, and a report or JSON on stdout.

#include "bench/result.hpp"

#include <CLI/App.hpp>

#include <string>

#include "absl/status/status.h"

namespace tools {

struct output_options {
  std::string path;  ///< empty: a new file where results are kept
  bool json = false;
  bool quiet = false;
};

/// -o, --json and --quiet; `what` is saved and printed.
void add_output(CLI::App& command, output_options& options, const std::string& what = "result");

/// Whether stdout takes colour: a terminal, and NO_COLOR is not set.
bool stdout_takes_colour();

/// How a person reads a result: bench::report_console and its like.
using result_report = std::string (*)(const bench::result& measured, bool colour);

/// Saves the result under a name of that kind (see save()), prints it, and says where it is. With --json, stdout has the saved
/// text alone, and the warnings go to stderr.
absl::Status save_and_print(const bench::result& measured, const std::string& kind,
                            const output_options& options, result_report report);

}  // namespace tools
