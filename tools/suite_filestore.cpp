// wirebench suite filestore: `wirebench files` at the size that was once published.

#include "bench/suites/filestore.hpp"

#include "tools/files_command.hpp"
#include "tools/options.hpp"
#include "tools/suites.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <memory>

namespace tools {
namespace {

constexpr double default_scale = 0.01;

constexpr auto help =
    "Files of 10,000,000 bytes, registered by their hash and a new name, then stored, then read: by one "
    "thread 1000 times the\n"
    "scale, by 20 threads 50 times the scale each, five repetitions. On a folder, GridFS and PostgreSQL; on "
    "null servers unless told\n"
    "otherwise.\n\n"
    "  wirebench suite filestore\n"
    "  wirebench suite filestore --scale 1 --real mongo --real pg";

}  // namespace

void add_filestore(CLI::App& suites, const std::vector<std::string>& command_line, int& code) {
  auto options = std::make_shared<files_command>();
  options->command_line = command_line;
  options->scale = default_scale;
  options->kind = bench::suites::filestore;
  options->report = bench::suites::report_filestore;
  auto* command = suites.add_subcommand(bench::suites::filestore, help);
  add_scale(*command, *options->scale);
  options->what.bytes = bench::suites::filestore_options(1).bytes;
  command->add_option("--bytes", options->what.bytes, "of each file, at least 16")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->capture_default_str();
  add_file_stores(*command, *options);
  add_seed(*command, options->what.seed, "of contents, random reads and the order of stores");
  add_timeout(*command, options->timeout_s);
  add_output(*command, options->output);
  command->callback([options, &code] {
    const auto seed = options->what.seed;
    const auto bytes = options->what.bytes;
    options->what = bench::suites::filestore_options(*options->scale);
    options->what.seed = seed;
    options->what.bytes = bytes;
    code = measure_files(*options);
  });
}

}  // namespace tools
