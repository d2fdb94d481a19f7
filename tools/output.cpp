#include "tools/output.hpp"

#include "bench/report_json.hpp"

#include "tools/result_file.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace tools {
namespace {

void print(const bench::result& measured, bool json, result_report report) {
  if (!json) {
    fmt::print("{}", report(measured, stdout_takes_colour()));
    return;
  }
  for (const auto& doubt : measured.warnings)
    fmt::print(stderr, "{} {}: {}\n", doubt.code, doubt.number, doubt.cause);
  fmt::print("{}", bench::report_json(measured));
}

}  // namespace

void add_output(CLI::App& command, output_options& options, const std::string& what) {
  command.add_option("-o,--output", options.path, fmt::format("save the {} here, as JSON", what))
      ->type_name("FILE");
  command.add_flag("--json", options.json, fmt::format("print the {} as JSON and nothing else", what));
  command.add_flag("--quiet", options.quiet, "no progress");
}

bool stdout_takes_colour() {
  return ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
}

absl::Status save_and_print(const bench::result& measured, const std::string& kind,
                            const output_options& options, result_report report) {
  const auto path = save(measured, kind, options.path);  // before printing, which may fail too
  print(measured, options.json, report);
  std::fflush(stdout);
  if (!path.ok()) return path.status();
  fmt::print(options.json ? stderr : stdout, "saved as {}\n", *path);
  return absl::OkStatus();
}

}  // namespace tools
