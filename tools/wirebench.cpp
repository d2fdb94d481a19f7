#include "tools/commands.hpp"
#include "tools/exit_code.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>

namespace {

/// CLI11 looks for a subcommand before it looks at a word that is none, and would say that one is missing.
std::string complaint(const CLI::App& program, const CLI::ParseError& wrong) {
  const auto unknown = program.remaining(true);
  const auto chosen = program.get_subcommands();
  if (unknown.empty()) return wrong.what();
  if (chosen.empty()) return fmt::format("there is no subcommand or option '{}'", unknown.front());
  if (chosen.front()->get_name() == "suite" && chosen.front()->get_subcommands().empty())
    return fmt::format("there is no suite or option '{}'", unknown.front());
  return wrong.what();
}

int run(int argc, char** argv) {
  CLI::App program(
      "wirebench measures how much of an operation's time is the driver, how much the wire, how much the "
      "server.\n"
      "\n"
      "  wirebench ladder                     every op, on null servers of its own\n"
      "  wirebench ladder --op ping           one op\n"
      "  wirebench ladder --real pg           against a temporary PostgreSQL as well\n"
      "  wirebench run select1                a tight loop of one op\n"
      "  wirebench sweep                      files by chunk size, strategy and framing\n"
      "  wirebench files                      many files: file system, GridFS, large objects\n"
      "  wirebench suite gridfs-memory        what others have measured, measured again\n"
      "  wirebench serve mongo --port 0       a null server for any driver\n"
      "  wirebench doctor                     is this machine fit to measure?\n"
      "  wirebench compare a.json b.json      what changed between two results\n"
      "  wirebench report result.json         a saved result, also as Markdown, CSV, ...",
      "wirebench");
  program.set_version_flag("--version", "wirebench " WIREBENCH_VERSION);
  program.require_subcommand(1);
  int code = tools::success;
  tools::add_ladder(program, {argv, argv + argc}, code);
  tools::add_run(program, {argv, argv + argc}, code);
  tools::add_docs(program, {argv, argv + argc}, code);
  tools::add_sweep(program, {argv, argv + argc}, code);
  tools::add_files(program, {argv, argv + argc}, code);
  tools::add_suite(program, {argv, argv + argc}, code);
  tools::add_put(program, {argv, argv + argc}, code);
  tools::add_serve(program, code);
  tools::add_doctor(program, code);
  tools::add_loop(program, code);
  tools::add_report(program, code);
  tools::add_compare(program, code);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    return program.exit(wanted);
  } catch (const CLI::ParseError& wrong) {
    return tools::report(absl::InvalidArgumentError(complaint(program, wrong) + "; try --help"));
  }
  return code;
}

}  // namespace

/// Output that nobody takes (a full disk, a closed pipe) is an error like any other: fmt throws at once, or
/// the last flush finds it.
int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  int code = tools::failure;
  try {
    code = run(argc, argv);
  } catch (const std::exception& thrown) {
    return tools::report(absl::UnknownError(thrown.what()));
  }
  const bool flushed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (code == tools::success && !flushed)
    return tools::report(absl::UnavailableError("cannot write to the standard output"));
  return code;
}
