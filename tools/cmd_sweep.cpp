// wirebench sweep: whole files by framing, strategy and chunk size.

#include "bench/compare.hpp"
#include "bench/counting/pass.hpp"
#include "bench/counting/self_count.hpp"
#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libpq.hpp"
#include "bench/environment.hpp"
#include "bench/findings.hpp"
#include "bench/placement.hpp"
#include "bench/report_sweep.hpp"
#include "bench/runner.hpp"
#include "bench/sweep.hpp"

#include "fixtures/temp_dir.hpp"

#include "tools/commands.hpp"
#include "tools/counting.hpp"
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
#include <filesystem>
#include <memory>

namespace tools {
namespace {

using bench::workloads::direction;

constexpr std::int64_t mib = 1024 * 1024;
constexpr double default_s_per_cell = 3;

struct sweep_command {
  std::vector<std::string> framings;
  std::vector<std::string> directions = {"upload"};
  std::vector<std::string> strategies;
  std::vector<std::int64_t> chunk_bytes = {64 * 1024, 255 * 1024, 256 * 1024, mib};
  std::int64_t file_bytes = 16 * mib;
  std::int64_t walk_bytes = 256 * mib;
  std::int64_t page_offset = 0;
  std::size_t window = 1;
  std::size_t batch = 1;
  std::string receive = "store";
  std::vector<std::string> against;
  double budget_s = 0;  ///< per direction; 0: default_s_per_cell each
  std::uint64_t seed = 1;
  int cpu = 0;
  double timeout_s = 10;
  std::vector<std::string> counts;
  std::uint64_t loop = 0;  ///< files of one cell, in place of a sweep
  std::uint64_t loop_warm_up = 1;
  output_options output;
  std::vector<std::string> command_line;  ///< for the context, which blanks its secrets

  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(timeout_s * 1000));
  }
};

class sweep_run {
 public:
  explicit sweep_run(const sweep_command& options) : options_(options), bar_(options.output.quiet) {}

  int whole();

 private:
  absl::Status choose();
  absl::Status check_reals() const;
  absl::Status start_peers();
  absl::Status start_peers_of(wire::protocol protocol);
  absl::Status make_payload();
  void begin_result();
  absl::Status measure();
  absl::Status measure(direction way, std::size_t number);
  void append(bench::run_outcome outcome);
  absl::Status clean_up();
  absl::Status loop();
  void count();
  bench::counting::words loop_of(const bench::labels& cell, std::uint64_t ops, std::uint64_t warm_up) const;
  absl::Status finish();

  bool speaks_any(wire::protocol protocol) const {
    return std::ranges::any_of(what_.framings,
                               [protocol](const auto* how) { return how->protocol == protocol; });
  }

  const sweep_command& options_;
  bench::sweep_options what_;
  std::vector<direction> ways_;
  const std::atomic<bool>& stop_ = stop_flag();
  std::vector<std::unique_ptr<bench::peer>> started_;
  bench::sweep_peers peers_;
  std::optional<fixtures::temp_dir> folder_;
  std::unique_ptr<bench::workloads::transfer_payload> payload_;
  std::optional<wire::watchdog> dog_;
  progress_bar bar_;
  bench::result result_;
};

/// Peers come first: they are forked, which must happen before there are threads, and before there is a payload to be forked along.
int sweep_run::whole() {
  auto status = choose();
  if (status.ok()) status = start_peers();
  if (status.ok()) status = make_payload();
  if (!status.ok()) return report(status);
  dog_.emplace(options_.timeout());
  if (options_.loop > 0) return report(loop());
  begin_result();
  status = measure();
  status.Update(clean_up());
  if (status.ok()) count();
  bar_.clear();
  status.Update(finish());
  return report(status, stop_);
}

absl::Status sweep_run::choose() {
  for (const auto way : bench::workloads::directions) {
    if (std::ranges::find(options_.directions, name(way)) != options_.directions.end()) ways_.push_back(way);
  }
  const auto goes = [this](const auto& how) {
    return std::ranges::any_of(ways_, [&how](direction way) { return how.goes(way); });
  };
  for (const auto& how : bench::workloads::framings()) {
    const bool named = std::ranges::find(options_.framings, how.name) != options_.framings.end();
    const bool unasked = options_.framings.empty() && goes(how) && !how.driver.empty();
    if (named || unasked) what_.framings.push_back(&how);
  }
  what_.strategies = options_.strategies;
  what_.chunk_bytes = options_.chunk_bytes;
  what_.file_bytes = options_.file_bytes;
  what_.window = options_.window;
  what_.batch = options_.batch;
  if (auto status = bench::check(what_, ways_); !status.ok()) return status;
  return check_reals();
}

absl::Status sweep_run::check_reals() const {
  for (const auto& server : options_.against) {
    bool spoken = false;
    for (const auto protocol : {wire::protocol::mongo, wire::protocol::pg}) {
      const auto fits = speaks(server, protocol);
      if (!fits.ok()) return fits.status();
      spoken = spoken || (*fits && speaks_any(protocol));
    }
    if (!spoken)
      return absl::InvalidArgumentError("--real names a server that none of the framings speaks to");
  }
  return absl::OkStatus();
}

absl::Status sweep_run::start_peers() {
  for (const auto protocol : {wire::protocol::mongo, wire::protocol::pg}) {
    if (!speaks_any(protocol)) continue;
    if (auto status = start_peers_of(protocol); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status sweep_run::start_peers_of(wire::protocol protocol) {
  const bool mongo = protocol == wire::protocol::mongo;
  auto null = start_null(protocol, options_.cpu, fixtures::mongo_profile::standalone,
                         *fixtures::receive_strategy_named(options_.receive));
  if (!null.ok()) return null.status();
  (mongo ? peers_.mongo : peers_.pg) = null->get();
  started_.push_back(*std::move(null));
  auto& real = mongo ? peers_.real_mongo : peers_.real_pg;
  for (const auto& server : options_.against) {
    if (!*speaks(server, protocol)) continue;
    if (real != nullptr)
      return absl::InvalidArgumentError("--real names two servers of one protocol; measure one at a time");
    auto started = start_real(server, protocol, options_.cpu, options_.timeout());
    if (!started.ok()) return started.status();
    real = started->get();
    started_.push_back(*std::move(started));
  }
  return absl::OkStatus();
}

absl::Status sweep_run::make_payload() {
  const auto goes = [this](direction way) { return std::ranges::find(ways_, way) != ways_.end(); };
  if (bench::needs_files(what_, ways_)) {
    auto folder = fixtures::temp_dir::make();
    if (!folder.ok()) return folder.status();
    folder_ = *std::move(folder);
  }
  auto made = bench::workloads::transfer_payload::make(
      {.file_bytes = options_.file_bytes,
       .walked_bytes = options_.walk_bytes,
       .page_offset = options_.page_offset,
       .in_files = goes(direction::upload) && bench::needs_files(what_, {direction::upload}),
       .room = goes(direction::download)},
      folder_ ? folder_->path() : std::string());
  if (!made.ok()) return made.status();
  payload_ = *std::move(made);
  return absl::OkStatus();
}

void sweep_run::begin_result() {
  result_.context = bench::read_environment(
      {{"libmongoc", bench::drivers::libmongoc_version()}, {"libpq", bench::drivers::libpq_version()}},
      options_.command_line);
  result_.context.emplace_back("null_servers", fmt::format("receive strategy {}", options_.receive));
  for (const auto* real : {peers_.real_mongo, peers_.real_pg}) {
    if (real != nullptr) result_.context.emplace_back("real_server", real->name());
  }
  result_.context.emplace_back(
      "transfers",
      fmt::format(
          "payload walks through {} of resident memory{}, and begins {} bytes behind the beginning of a "
          "page; {} FunctionCalls in flight, {} GridFS chunks per message",
          bench::size_name(options_.walk_bytes),
          options_.walk_bytes < options_.file_bytes ? ", which each file repeats" : "", options_.page_offset,
          options_.window, options_.batch));
  result_.clock = bench::calibrate_clock();
  result_.warnings = bench::doubts(result_.context, result_.clock);
  result_.plan.seed = options_.seed;
  result_.plan.cpu = options_.cpu;
}

absl::Status sweep_run::measure() {
  for (std::size_t i = 0; i < ways_.size() && !stop_; ++i) {
    if (auto status = measure(ways_[i], i); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status sweep_run::measure(direction way, std::size_t number) {
  const auto cells = bench::plan_sweep(what_, way, peers_, *payload_, *dog_);
  if (cells.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "none of the strategies is for --direction {} of these framings: see --help for those that are",
        name(way)));
  }
  bar_.show(static_cast<double>(number) / static_cast<double>(ways_.size()),
            fmt::format("{}, warming {} cells up", name(way), cells.size()));
  const auto show = [this, way, number](const bench::run_progress& now) {
    const double share =
        (static_cast<double>(number) + now.elapsed_s / now.budget_s) / static_cast<double>(ways_.size());
    bar_.show(share, fmt::format("{}, {} rows", name(way), now.rows));
  };
  auto outcome = bench::run(
      cells, {.budget_s = options_.budget_s > 0 ? options_.budget_s
                                                : default_s_per_cell * static_cast<double>(cells.size()),
              .seed = options_.seed,
              .cpu = options_.cpu,
              .stop = &stop_,
              .on_progress = show});
  auto status = outcome.status;
  append(std::move(outcome));
  return status;
}

void sweep_run::append(bench::run_outcome outcome) {
  const auto add = [](auto& all, const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
  const auto compared = bench::compare_with_first(outcome.cells, result_.plan.delta);
  outcome.plan.aa_floor = bench::aa_floor(compared);
  add(result_.cells, outcome.cells);
  add(result_.comparisons, compared);
  add(result_.warnings, outcome.warnings);
  add(result_.warnings, bench::findings(compared, outcome.plan));
  result_.plan.ops.push_back(std::move(outcome.plan));
}

absl::Status sweep_run::clean_up() {
  return bench::clean_up_sweep(peers_, *dog_);
}

/// One cell's files and nothing else, for an instrument that watches the process.
absl::Status sweep_run::loop() {
  const auto cells = bench::plan_sweep(what_, ways_.front(), peers_, *payload_, *dog_);
  if (ways_.size() != 1 || cells.size() != 2)  // the first one stands there twice
    return absl::InvalidArgumentError(
        "--loop is for one cell: name one framing, direction, strategy and chunk size, and no real server");
  const auto pinned = bench::pinned_thread::to(options_.cpu);
  if (!pinned.ok()) return pinned.status();
  auto work = cells.front().open();
  if (!work.ok()) return work.status();
  if (auto status = (*work)->run(options_.loop_warm_up); !status.ok()) return status;
  const auto counts = bench::counting::run_counted(**work, options_.loop);
  if (!counts.ok()) return counts.status();
  fmt::print("{}", bench::counting::to_text(*counts));
  return (*work)->after();
}

/// This very program's --loop on one cell, whose payload is one memory page again and again.
bench::counting::words sweep_run::loop_of(const bench::labels& cell, std::uint64_t ops,
                                          std::uint64_t warm_up) const {
  std::error_code ignored;
  const bool raw = cell.client == "raw" || cell.client == bench::floor_strategy;
  const std::pair<const char*, std::string> given[] = {
      {"--framing", *cell.framing},
      {"--direction", *cell.direction},
      {"--strategy", raw ? *cell.strategy : bench::driver_strategy},
      {"--chunks", fmt::format("{}", *cell.chunk_bytes)},
      {"--file-size", fmt::format("{}", options_.file_bytes)},
      {"--page-offset", fmt::format("{}", options_.page_offset)},
      {"--walk", "1"},
      {"--window", fmt::format("{}", options_.window)},
      {"--batch", fmt::format("{}", options_.batch)},
      {"--receive", options_.receive},
      {"--cpu", fmt::format("{}", options_.cpu)},
      {"--timeout", fmt::format("{}", options_.timeout_s)},
      {"--loop", fmt::format("{}", ops)},
      {"--loop-warm-up", fmt::format("{}", warm_up)}};
  bench::counting::words line{std::filesystem::read_symlink("/proc/self/exe", ignored).string(), "sweep"};
  for (const auto& [option, value] : given) line.insert(line.end(), {option, value});
  return line;
}

void sweep_run::count() {
  if (options_.counts.empty()) return;
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  auto& cells = result_.cells;
  for (std::size_t i = 0; i < cells.size() && !stop_; ++i) {
    const auto& what = cells[i].what;
    if (what.rung != "null" || what.id.ends_with("/again")) continue;
    bar_.show(static_cast<double>(i) / static_cast<double>(cells.size()), "counting " + what.id);
    cells[i].counts = bench::counting::count_cell(
        {.command = [&](std::uint64_t ops, std::uint64_t warm_up) { return loop_of(what, ops, warm_up); },
         .malloc_probe = folder / "libwirebench_malloc_probe.so",
         .warm_up = 1,
         .heap_ops = 2,
         .short_run = 1,
         .long_run = 3},
        kinds_of(options_.counts));
  }
}

absl::Status sweep_run::finish() {
  bench::drop_given_flags(result_.warnings, options_.command_line);
  const bool measured = std::ranges::any_of(result_.plan.ops, [](const auto& op) { return op.rows > 0; });
  if (!measured) return stop_ ? absl::OkStatus() : absl::UnavailableError("nothing was measured");
  result_.sweep = bench::sweep_figures_of(result_);
  return save_and_print(result_, "sweep", options_.output, bench::report_sweep);
}

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
  command->callback([options, &code] { code = sweep_run(*options).whole(); });
}

}  // namespace tools
