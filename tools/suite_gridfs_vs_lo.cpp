// wirebench suite gridfs-vs-lo: files into GridFS and into large objects, in turn.

#include "bench/compare.hpp"
#include "bench/findings.hpp"
#include "bench/outcome.hpp"
#include "bench/suites/gridfs_vs_lo.hpp"
#include "bench/suites/suite.hpp"

#include "tools/exit_code.hpp"
#include "tools/options.hpp"
#include "tools/output.hpp"
#include "tools/peers.hpp"
#include "tools/progress.hpp"
#include "tools/stop_flag.hpp"
#include "tools/suites.hpp"
#include "tools/transfer_peers.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace tools {
namespace {

using bench::suites::published_files;
using bench::suites::stored_files;

constexpr double default_scale = 0.1;
constexpr double day_s = 86'400;
constexpr std::int64_t walk_bytes = 64 * 1024 * 1024;

struct contest_command {
  double scale = default_scale;
  std::vector<std::int64_t> sizes;  ///< of the published ones; none: all
  std::vector<std::string> against;
  double budget_s = day_s;  ///< per contest
  std::uint64_t seed = 1;
  int cpu = 0;
  double timeout_s = 10;
  output_options output;
  std::vector<std::string> command_line;  ///< for the context, which blanks its secrets

  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(timeout_s * 1000));
  }
};

class contest_run {
 public:
  explicit contest_run(const contest_command& options)
      : options_(options),
        peers_(options.against, options.cpu, options.timeout()),
        bar_(options.output.quiet) {}

  int whole();

 private:
  absl::Status check() const;
  absl::Status measure();
  absl::Status measure(const stored_files& size, std::size_t number, std::size_t of);
  absl::Status measure(const bench::suites::contest& one, std::uint64_t files, double done, double share);
  absl::Status finish();

  const contest_command& options_;
  const std::atomic<bool>& stop_ = stop_flag();
  transfer_peers peers_;
  progress_bar bar_;
  std::optional<wire::watchdog> dog_;
  bench::result result_;
};

/// Peers come first: they are forked, which must happen before there are threads.
int contest_run::whole() {
  auto status = check();
  for (const auto protocol : {wire::protocol::mongo, wire::protocol::pg}) {
    if (status.ok()) status = peers_.start(protocol);
  }
  if (!status.ok()) return report(status);
  dog_.emplace(options_.timeout());
  result_ = peers_.begin_result(options_.command_line, options_.seed);
  bench::suites::mark(result_, bench::suites::gridfs_vs_lo, options_.scale);
  status = measure();
  status.Update(bench::clean_up_sweep(peers_.by_protocol(), *dog_));
  bar_.clear();
  status.Update(finish());
  return report(status, stop_);
}

absl::Status contest_run::check() const {
  for (const auto bytes : options_.sizes) {
    if (std::ranges::find(published_files, bytes, &stored_files::file_bytes) != std::end(published_files))
      continue;
    return absl::InvalidArgumentError(
        fmt::format("no files of {} bytes were published: --sizes takes 1K, 10K, 1M and 10M", bytes));
  }
  int mongo = 0, pg = 0;
  for (const auto& server : options_.against) {
    const auto fits = speaks(server, wire::protocol::mongo);
    if (!fits.ok()) return fits.status();
    if (server.starts_with("null:")) {
      ++mongo, ++pg;
    } else {
      ++(*fits ? mongo : pg);
    }
  }
  if (mongo == pg && mongo <= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "two servers are set against each other: give --real once for MongoDB and once for PostgreSQL, such as "
      "--real mongo "
      "--real pg");
}

absl::Status contest_run::measure() {
  std::vector<stored_files> sizes;
  std::ranges::copy_if(published_files, std::back_inserter(sizes), [this](const stored_files& size) {
    return options_.sizes.empty() ||
           std::ranges::find(options_.sizes, size.file_bytes) != options_.sizes.end();
  });
  for (std::size_t i = 0; i < sizes.size() && !stop_; ++i) {
    if (auto status = measure(sizes[i], i, sizes.size()); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status contest_run::measure(const stored_files& size, std::size_t number, std::size_t of) {
  const auto payload = bench::workloads::transfer_payload::make(
      {.file_bytes = size.file_bytes, .walked_bytes = walk_bytes}, "");
  if (!payload.ok()) return payload.status();
  const auto contests =
      bench::suites::plan_gridfs_vs_lo(size.file_bytes, peers_.by_protocol(), **payload, *dog_);
  const double share = 1.0 / static_cast<double>(of * contests.size());
  for (std::size_t i = 0; i < contests.size() && !stop_; ++i) {
    const double done = static_cast<double>(number * contests.size() + i) * share;
    if (auto status = measure(contests[i], scaled(size.files, options_.scale), done, share); !status.ok())
      return status;
  }
  return absl::OkStatus();
}

absl::Status contest_run::measure(const bench::suites::contest& one, std::uint64_t files, double done,
                                  double share) {
  bar_.show(done, fmt::format("{}, warming up", one.op));
  const auto show = [&](const bench::run_progress& now) {
    const double part = static_cast<double>(now.ops) / static_cast<double>(files);
    bar_.show(done + std::min(part, 1.0) * share, fmt::format("{}, {} of {} files", one.op, now.ops, files));
  };
  auto outcome = bench::run(one.cells, {.budget_s = options_.budget_s,
                                        .max_ops = files,
                                        .seed = options_.seed,
                                        .cpu = options_.cpu,
                                        .stop = &stop_,
                                        .on_progress = show});
  auto status = outcome.status;
  const auto compared = bench::compare_with_first(outcome.cells, result_.plan.delta);
  bench::append(result_, std::move(outcome), compared);
  return status;
}

absl::Status contest_run::finish() {
  bench::drop_given_flags(result_.warnings, options_.command_line);
  const bool measured = std::ranges::any_of(result_.plan.ops, [](const auto& op) { return op.rows > 0; });
  if (!measured) return stop_ ? absl::OkStatus() : absl::UnavailableError("nothing was measured");
  return save_and_print(result_, bench::suites::gridfs_vs_lo, options_.output,
                        bench::suites::report_gridfs_vs_lo);
}

constexpr auto help =
    "Stores files of 1 KiB, 10 KiB, 1 MiB and 10 MiB in GridFS and in large objects, in short rounds in "
    "turn: ops per second with "
    "intervals,\nverdicts and ministat blocks. By the raw clients and by libmongoc and libpq; on null "
    "servers, and with --real on "
    "real ones.\n\n"
    "  wirebench suite gridfs-vs-lo\n"
    "  wirebench suite gridfs-vs-lo --real mongo --real pg\n"
    "  wirebench suite gridfs-vs-lo --scale 1 -o result.json";

}  // namespace

void add_gridfs_vs_lo(CLI::App& suites, const std::vector<std::string>& command_line, int& code) {
  auto options = std::make_shared<contest_command>();
  options->command_line = command_line;
  auto* command = suites.add_subcommand(bench::suites::gridfs_vs_lo, help);
  add_scale(*command, options->scale);
  add_sizes(*command, "--sizes", options->sizes,
            "sizes of files, separated by commas, of those that were published")
      ->default_str("1K,10K,1M,10M");
  command
      ->add_option("--real", options->against,
                   "real servers as well, one of each protocol: `mongo` (SecantusDB), `pg` (a temporary "
                   "PostgreSQL), or URIs")
      ->type_name("SERVER");
  add_seconds(*command, "--budget", options->budget_s, 0.1,
              "seconds at most per size and level, warm-up included")
      ->default_str("a day");
  add_seed(*command, options->seed, "of the order of rounds");
  add_cpu(*command, options->cpu);
  add_timeout(*command, options->timeout_s);
  add_output(*command, options->output);
  command->callback([options, &code] { code = contest_run(*options).whole(); });
}

}  // namespace tools
