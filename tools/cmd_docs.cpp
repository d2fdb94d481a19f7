// wirebench docs: documents inserted, changed and found again.

#include "bench/docs.hpp"
#include "bench/drivers/libmongoc.hpp"
#include "bench/environment.hpp"
#include "bench/report_docs.hpp"
#include "bench/resources.hpp"

#include "tools/commands.hpp"
#include "tools/exit_code.hpp"
#include "tools/options.hpp"
#include "tools/output.hpp"
#include "tools/peers.hpp"
#include "tools/progress.hpp"
#include "tools/stop_flag.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace tools {
namespace {

constexpr std::uint64_t found_share = 10;  // a tenth of the documents is found again, unless told otherwise

struct docs_command {
  bench::docs_options what;
  std::uint64_t found = 0;
  bool found_given = false;
  std::string against;
  pid_t server_pid = 0;
  bool mongo_bench = false;
  double timeout_s = 10;
  output_options output;
  std::vector<std::string> command_line;  ///< for the context, which blanks its secrets
};

std::string mongo_bench_columns(const bench::result& measured, bool /*colour*/) {
  return bench::report_mongo_bench(measured);
}

class docs_run {
 public:
  explicit docs_run(const docs_command& options)
      : options_(options), what_(options.what), bar_(options.output.quiet) {}

  int whole();

 private:
  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(options_.timeout_s * 1000));
  }
  absl::Status check();
  absl::Status check_server() const;
  absl::Status start_peers();
  void begin_result();
  absl::Status finish();

  const docs_command& options_;
  bench::docs_options what_;
  const std::atomic<bool>& stop_ = stop_flag();
  std::unique_ptr<bench::peer> null_;
  std::unique_ptr<bench::peer> real_;
  progress_bar bar_;
  bench::result result_;
};

/// Peers come first: they are forked, which must happen before there are threads.
int docs_run::whole() {
  if (auto status = check(); !status.ok()) return report(status);
  if (auto status = start_peers(); !status.ok()) return report(status);
  wire::watchdog dog(timeout());
  begin_result();
  what_.stop = &stop_;
  what_.on_progress = [this](double share, const std::string& test) { bar_.show(share, test); };
  const bench::docs_peers peers{
      .null = null_.get(),
      .real = real_.get(),
      .server_pid = options_.server_pid != 0 ? std::optional(options_.server_pid) : std::nullopt};
  auto status = bench::run_docs(what_, peers, dog, result_);
  bar_.clear();
  status.Update(finish());
  return report(status, stop_);
}

absl::Status docs_run::check() {
  what_.found = options_.found_given ? options_.found : std::max<std::uint64_t>(what_.count / found_share, 1);
  if (auto status = bench::check(what_); !status.ok()) return status;
  return check_server();
}

absl::Status docs_run::check_server() const {
  if (options_.output.json && options_.mongo_bench)
    return absl::InvalidArgumentError("--json and --mongo-bench are two forms of one output; choose one");
  if (!options_.against.empty()) {
    const auto fits = speaks(options_.against, wire::protocol::mongo);
    if (!fits.ok()) return fits.status();
    if (!*fits) {
      return absl::InvalidArgumentError(
          "--real must be a MongoDB: `mongo`, a mongodb:// URI, or null:200us, a null server that takes its "
          "time");
    }
  }
  if (options_.server_pid == 0) return absl::OkStatus();
  if (options_.against.empty() || options_.against == "mongo")
    return absl::InvalidArgumentError("--server-pid is for a server that --real names by its URI");
  if (bench::process_cpu_ns(options_.server_pid)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("no process {} on this machine, or it may not be read; --server-pid takes the server's pid",
                  options_.server_pid));
}

absl::Status docs_run::start_peers() {
  auto null = start_null_mongo(what_.cpu, what_.document_bytes);
  if (!null.ok()) return null.status();
  null_ = *std::move(null);
  if (options_.against.empty()) return absl::OkStatus();
  auto real = start_real(options_.against, wire::protocol::mongo, what_.cpu, timeout());
  if (!real.ok()) return real.status();
  real_ = *std::move(real);
  return absl::OkStatus();
}

void docs_run::begin_result() {
  result_.context =
      bench::read_environment({{"libmongoc", bench::drivers::libmongoc_version()}}, options_.command_line);
  if (real_) result_.context.emplace_back("real_server", real_->name());
  result_.clock = bench::calibrate_clock();
  result_.warnings = bench::doubts(result_.context, result_.clock);
  result_.plan.seed = what_.seed;
  result_.plan.cpu = what_.cpu;
}

absl::Status docs_run::finish() {
  if (result_.docs.empty()) return stop_ ? absl::OkStatus() : absl::UnavailableError("nothing was measured");
  const auto form = options_.mongo_bench ? mongo_bench_columns : bench::report_docs;
  if (auto status = save_and_print(result_, "docs", options_.output, form); !status.ok()) return status;
  for (const auto& row : result_.docs) {
    if (row.errors > 0)
      return absl::FailedPreconditionError(
          fmt::format("{}: the server refused {} commands", row.cell, row.errors));
  }
  return absl::OkStatus();
}

constexpr auto help =
    "Document workloads on MongoDB: insert; update of a double to a double and to an int64; find by $in and\n"
    "equality (random) and by range (in order), with whole cursors. Each through the raw client and through\n"
    "libmongoc, in short rounds in turn, on the null server and with --real on a real one. Counts and ids "
    "of\n"
    "every answer are checked.\n\n"
    "  wirebench docs\n"
    "  wirebench docs --count 1000000 --found 40000 --threads 10 --mongo-bench\n"
    "  wirebench docs --real mongo --count 10000\n"
    "  wirebench docs --real mongodb://127.0.0.1:27017/ --server-pid 4711 --json";

CLI::Option* add_count(CLI::App& command, const char* flag, std::uint64_t& value, const char* help_text) {
  return command.add_option(flag, value, help_text)
      ->check(CLI::NonNegativeNumber)  // "-1" would wrap around
      ->type_name("N")
      ->capture_default_str();
}

/// How many documents of what size, and how they travel. Returns --found.
CLI::Option* add_documents(CLI::App& command, docs_command& options) {
  auto& what = options.what;
  add_count(command, "--count", what.count, "documents that are inserted and updated");
  auto* found = add_count(command, "--found", options.found, "documents that each find test brings");
  found->default_str("a tenth of the count");
  add_count(command, "--size", what.document_bytes, "bytes of a document, 45 to 16 MiB");
  add_count(command, "--batch", what.batch,
            "documents per command: statements of one write, ids of one find; 1 to 100000");
  add_count(command, "--threads", what.threads, "connections of each client, a thread each; 1 to 100");
  return found;
}

void add_server(CLI::App& command, docs_command& options) {
  command
      .add_option(
          "--real", options.against,
          "a real server as well: `mongo` (SecantusDB), a mongodb:// URI, or null:200us (a null server that\n"
          "takes so long per command)")
      ->type_name("SERVER");
  command
      .add_option("--server-pid", options.server_pid,
                  "the process of a server named by URI, for its CPU time")
      ->check(CLI::PositiveNumber)
      ->type_name("PID");
}

}  // namespace

void add_docs(CLI::App& program, const std::vector<std::string>& command_line, int& code) {
  auto options = std::make_shared<docs_command>();
  options->command_line = command_line;
  auto* command = program.add_subcommand("docs", help);
  auto* found = add_documents(*command, *options);
  add_server(*command, *options);
  command->add_flag("--mongo-bench", options->mongo_bench,
                    "print the columns of the mongo_bench of 2013, with its own figures beside");
  add_seed(*command, options->what.seed, "of the random ids and of the order of rounds");
  add_cpu(*command, options->what.cpu);
  add_timeout(*command, options->timeout_s);
  add_output(*command, options->output);
  command->callback([options, found, &code] {
    options->found_given = found->count() > 0;
    code = docs_run(*options).whole();
  });
}

}  // namespace tools
