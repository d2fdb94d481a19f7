// wirebench sweep: whole files by framing, strategy and chunk size.

#include "bench/sweep.hpp"

#include "tools/commands.hpp"
#include "tools/counting.hpp"
#include "tools/options.hpp"
#include "tools/sweep_run.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <memory>

namespace tools {
namespace {

std::string help() {
  std::string text =
      "Moves whole files through GridFS and large objects, by every framing, strategy and chunk size that is "
      "asked "
      "for and\n"
      "by the drivers, in short rounds in turn, on null servers and with --real on real ones. Says what a "
      "chunk and "
      "a byte cost,\n"
      "and which choices nothing betters.\n\n"
      "  wirebench sweep\n"
      "  wirebench sweep --framing gridfs --chunks 255K,256K,1M --strategy gather,mmap,driver\n"
      "  wirebench sweep --framing lowrite,lo-trip --file-size 100M\n"
      "  wirebench sweep --direction upload,download --real pg --real mongo\n"
      "  wirebench sweep --framing lowrite --strategy floor,gather,driver        all rows over the first: "
      "floor\n"
      "  wirebench sweep --framing gridfs --count memory,heap         and what each client needs by itself\n"
      "  wirebench sweep --chunks 8K --walk 8K --receive discard      one chunk again and again; servers "
      "that "
      "drop it\n\n"
      "Framings:";
  for (const auto& how : bench::workloads::framings()) {
    text += fmt::format("\n  {:<9} {} ({}{}{}{})", how.name, how.summary, how.uploads ? "upload" : "",
                        how.uploads && how.downloads ? ", " : "", how.downloads ? "download" : "",
                        how.driver.empty() ? "" : fmt::format("; driver: {}", how.driver));
  }
  text += "\nStrategies:";
  for (const auto way : bench::workloads::directions) {
    for (const auto& one : bench::workloads::strategies(way))
      text += fmt::format("\n  {:<9} {} ({})", one.name, one.summary, name(way));
  }
  text += fmt::format("\n  {:<9} what the driver of the framing does", bench::driver_strategy);
  return text +
         fmt::format("\n  {:<9} the same bytes by a bare loop, on null servers: what the machine takes",
                     bench::floor_strategy);
}

std::vector<std::string> framing_names() {
  std::vector<std::string> names;
  for (const auto& how : bench::workloads::framings()) names.emplace_back(how.name);
  return names;
}

std::vector<std::string> strategy_names() {
  std::vector<std::string> names{bench::driver_strategy, bench::floor_strategy};
  for (const auto way : bench::workloads::directions) {
    for (const auto& one : bench::workloads::strategies(way)) names.emplace_back(one.name);
  }
  return names;
}

void add_subject(CLI::App& command, sweep_command& options) {
  command
      .add_option("--framing", options.framings,
                  "framings, separated by commas; those of a driver too if not given")
      ->delimiter(',')
      ->check(CLI::IsMember(framing_names()))
      ->type_name("FRAMING");
  command.add_option("--direction", options.directions, "upload, download, or both, separated by a comma")
      ->delimiter(',')
      ->check(CLI::IsMember({"upload", "download"}))
      ->type_name("DIRECTION")
      ->default_str("upload");
  command
      .add_option("--strategy", options.strategies,
                  "strategies, separated by commas; the first one is what all others are compared with; all "
                  "if not given")
      ->delimiter(',')
      ->check(CLI::IsMember(strategy_names()))
      ->type_name("STRATEGY");
  add_sizes(command, "--chunks", options.chunk_bytes,
            "chunk sizes, separated by commas; three or more give a fit")
      ->default_str("64K,255K,256K,1M");
  add_size(command, "--file-size", options.file_bytes, "bytes of each file")->default_str("16M");
  add_size(command, "--walk", options.walk_bytes,
           "resident memory that the payload walks through; less than a file: each file repeats it")
      ->default_str("256M");
  command
      .add_option(
          "--page-offset", options.page_offset,
          "where in a page a file in memory begins: what it costs the kernel to copy a chunk depends on "
          "that")
      ->check(CLI::Range(0, 4095))
      ->type_name("BYTES")
      ->capture_default_str();
}

void add_method(CLI::App& command, sweep_command& options) {
  command.add_option("--window", options.window, "FunctionCalls in flight, 1 to 1000")
      ->check(CLI::Range(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--batch", options.batch, "GridFS chunks per message of an upload, 1 to 1000")
      ->check(CLI::Range(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--receive", options.receive,
                  "what null servers do with payload: store, drain or discard it")
      ->check(CLI::IsMember({"store", "drain", "discard"}))
      ->capture_default_str();
  command
      .add_option("--real", options.against,
                  "a real server as well: `pg` (a temporary PostgreSQL), `mongo` (SecantusDB), `null:200us`, "
                  "or a URI;\n"
                  "may be given once per protocol")
      ->type_name("SERVER");
  command
      .add_option("--count", options.counts,
                  "after the timed rounds, each cell on a null server in fresh processes, separated by "
                  "commas: memory,\n"
                  "heap, syscalls, instructions (the slow one), or all")
      ->delimiter(',')
      ->check(check_kind)
      ->type_name("KIND");
  command
      .add_option("--loop", options.loop,
                  "in place of a sweep: move so many files of one cell, and print what the process counts of "
                  "itself;\n"
                  "for strace and callgrind")
      ->type_name("FILES");
  command.add_option("--loop-warm-up", options.loop_warm_up, "files before those")
      ->type_name("FILES")
      ->capture_default_str();
  add_seconds(command, "--budget", options.budget_s, 0.1, "seconds per direction, warm-up included")
      ->default_str("3 per cell");
  add_seed(command, options.seed, "of the order of rounds");
  add_cpu(command, options.cpu);
  add_timeout(command, options.timeout_s);
}

}  // namespace

void add_sweep(CLI::App& program, const std::vector<std::string>& command_line, int& code) {
  auto options = std::make_shared<sweep_command>();
  options->command_line = command_line;
  auto* command = program.add_subcommand("sweep", help());
  add_subject(*command, *options);
  add_method(*command, *options);
  add_output(*command, options->output);
  command->callback([options, &code] { code = run_sweep(*options); });
}

}  // namespace tools
