// wirebench files: many files registered, stored and read again, on the file system and on servers.

#include "bench/environment.hpp"
#include "bench/placement.hpp"
#include "bench/resources.hpp"
#include "bench/suites/suite.hpp"
#include "bench/workloads/bytea_store.hpp"
#include "bench/workloads/directory_store.hpp"
#include "bench/workloads/gridfs_store.hpp"
#include "bench/workloads/large_object_store.hpp"

#include "tools/commands.hpp"
#include "tools/exit_code.hpp"
#include "tools/files_command.hpp"
#include "tools/options.hpp"
#include "tools/peers.hpp"
#include "tools/progress.hpp"
#include "tools/stop_flag.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

namespace tools {
namespace {

constexpr std::int64_t largest_chunk = 16'000'000;

using opened_backend = absl::StatusOr<std::unique_ptr<bench::workloads::file_backend>>;

/// A store as a user names it, and what it needs; fs needs no server.
struct store_kind {
  const char* name;
  std::optional<wire::protocol> speaks;
  opened_backend (*open)(const bench::workloads::file_server_setup& how, wire::watchdog& dog);
};

constexpr store_kind store_kinds[] = {
    {"fs", std::nullopt, nullptr},
    {"gridfs", wire::protocol::mongo, bench::workloads::open_gridfs_backend},
    {"lo", wire::protocol::pg, bench::workloads::open_large_object_backend},
    {"bytea", wire::protocol::pg, bench::workloads::open_bytea_backend},
};

std::vector<std::string> store_names() {
  std::vector<std::string> names;
  for (const auto& kind : store_kinds) names.emplace_back(kind.name);
  return names;
}

const store_kind& kind_named(const std::string& name) {
  return *std::ranges::find_if(store_kinds, [&](const store_kind& one) { return name == one.name; });
}

class files_run {
 public:
  explicit files_run(const files_command& options)
      : options_(options), what_(options.what), bar_(options.output.quiet) {}

  int whole();

 private:
  struct server {
    std::unique_ptr<bench::peer> peer;
    bool null = true;
  };

  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(options_.timeout_s * 1000));
  }
  bool has(const char* store) const { return std::ranges::find(stores_, store) != stores_.end(); }

  absl::Status check();
  absl::Status choose_stores();
  absl::Status check_options() const;
  absl::Status check_server_pid() const;
  absl::Status start_peers();
  absl::Status start_peer(wire::protocol protocol);
  absl::Status open_stores(wire::watchdog& dog);
  void begin_result();
  absl::Status finish();

  const files_command& options_;
  bench::files_options what_;
  std::vector<std::string> stores_;
  const std::atomic<bool>& stop_ = stop_flag();
  std::map<wire::protocol, server> servers_;
  bench::file_stores opened_;
  progress_bar bar_;
  bench::result result_;
};

/// Peers come first: they are forked, which must happen before there are threads.
int files_run::whole() {
  if (auto status = check(); !status.ok()) return report(status);
  if (auto status = start_peers(); !status.ok()) return report(status);
  wire::watchdog dog(timeout());
  if (auto status = open_stores(dog); !status.ok()) return report(status);
  begin_result();
  what_.stop = &stop_;
  what_.on_progress = [this](double share, const std::string& phase) { bar_.show(share, phase); };
  auto status = bench::run_files(what_, opened_, result_);
  bar_.clear();
  status.Update(finish());
  opened_.clear();  // before the watchdog, which watches their connections
  return report(status, stop_);
}

absl::Status files_run::check() {
  if (auto status = bench::check(what_); !status.ok()) return status;
  if (auto status = choose_stores(); !status.ok()) return status;
  if (auto status = check_options(); !status.ok()) return status;
  return check_server_pid();
}

/// Every server of --real is used by a store. Without names, the file system and whatever the servers can be are measured.
absl::Status files_run::choose_stores() {
  for (const auto& kind : store_kinds) {
    bool chosen = std::ranges::find(options_.stores, kind.name) != options_.stores.end();
    if (options_.stores.empty()) chosen = !kind.speaks || options_.against.empty();
    for (const auto& uri : options_.against) {
      if (uri.starts_with("null:"))
        return absl::InvalidArgumentError("--real is a real server here; without it null servers stand in");
      if (!kind.speaks) continue;
      const auto fits = speaks(uri, *kind.speaks);
      if (!fits.ok()) return fits.status();
      if (options_.stores.empty()) chosen = chosen || *fits;
    }
    if (chosen) stores_.emplace_back(kind.name);
  }
  for (const auto& uri : options_.against) {
    const bool used = std::ranges::any_of(stores_, [&](const auto& name) {
      const auto& protocol = kind_named(name).speaks;
      return protocol && *speaks(uri, *protocol);
    });
    if (!used) {
      return absl::InvalidArgumentError(
          fmt::format("--real {} is of no use to {}: gridfs needs a MongoDB, lo and bytea a PostgreSQL",
                      bench::without_secrets(uri), fmt::join(stores_, ", ")));
    }
  }
  return absl::OkStatus();
}

absl::Status files_run::check_options() const {
  if (!has("fs") && (options_.durable || !options_.folder.empty()))
    return absl::InvalidArgumentError("--fsync and --dir are for the store fs, which is not measured here");
  if (!has("gridfs") && !has("lo") && options_.chunk_bytes != 0)
    return absl::InvalidArgumentError("--chunk is for gridfs and lo, which are not measured here");
  if (!options_.folder.empty() && !std::filesystem::is_directory(options_.folder)) {
    return absl::InvalidArgumentError(
        fmt::format("--dir {}: there is no such folder; name one that is there", options_.folder));
  }
  return absl::OkStatus();
}

absl::Status files_run::check_server_pid() const {
  if (options_.server_pid == 0) return absl::OkStatus();
  const bool by_uri =
      options_.against.size() == 1 && options_.against.front() != "pg" && options_.against.front() != "mongo";
  if (!by_uri)
    return absl::InvalidArgumentError("--server-pid is for the one server that --real names by its URI");
  if (bench::process_cpu_ns(options_.server_pid)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("no process {} on this machine, or it may not be read; --server-pid takes the server's pid",
                  options_.server_pid));
}

absl::Status files_run::start_peers() {
  for (const auto& name : stores_) {
    const auto& protocol = kind_named(name).speaks;
    if (!protocol || servers_.contains(*protocol)) continue;
    if (auto status = start_peer(*protocol); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status files_run::start_peer(wire::protocol protocol) {
  auto& at = servers_[protocol];
  for (const auto& what : options_.against) {
    if (!*speaks(what, protocol)) continue;
    if (at.peer)
      return absl::InvalidArgumentError("--real names two servers of one protocol; measure one at a time");
    auto started = start_real(what, protocol, std::nullopt, timeout());
    if (!started.ok()) return started.status();
    at = {*std::move(started), false};
  }
  if (at.peer) return absl::OkStatus();
  auto started = start_null_of_files(protocol, static_cast<std::int64_t>(what_.bytes));
  if (!started.ok()) return started.status();
  at.peer = *std::move(started);
  return absl::OkStatus();
}

std::string default_folder() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

absl::Status files_run::open_stores(wire::watchdog& dog) {
  using namespace bench::workloads;
  for (const auto& name : stores_) {
    const auto& protocol = kind_named(name).speaks;
    if (!protocol) {
      const auto folder = options_.folder.empty() ? default_folder() : options_.folder;
      opened_.push_back(make_directory_backend({.folder = folder, .durable = options_.durable}));
      continue;
    }
    const auto& at = servers_.at(*protocol);
    file_server_setup how{
        .served_by = at.peer.get(), .null = at.null, .file_bytes = static_cast<std::int64_t>(what_.bytes)};
    if (!at.null && options_.server_pid != 0) how.server_pid = options_.server_pid;
    if (options_.chunk_bytes != 0) how.chunk_bytes = options_.chunk_bytes;
    auto opened = kind_named(name).open(how, dog);
    if (!opened.ok()) return opened.status();
    opened_.push_back(*std::move(opened));
  }
  return absl::OkStatus();
}

void files_run::begin_result() {
  result_.context = bench::read_environment({}, options_.command_line);
  for (const auto& [protocol, at] : servers_) {
    if (!at.null) result_.context.emplace_back("real_server", at.peer->name());
  }
  if (options_.scale) bench::suites::mark(result_, options_.kind, *options_.scale);
  result_.clock = bench::calibrate_clock();
  result_.warnings = bench::doubts(result_.context, result_.clock);
  result_.plan.seed = what_.seed;
}

absl::Status files_run::finish() {
  if (result_.files.empty()) return stop_ ? absl::OkStatus() : absl::UnavailableError("nothing was measured");
  if (auto status = save_and_print(result_, options_.kind, options_.output, options_.report); !status.ok())
    return status;
  for (const auto& row : result_.files) {
    if (row.failed > 0)
      return absl::FailedPreconditionError(
          fmt::format("{}: {} files failed, the first: {}", row.cell, row.failed, row.errors.front().first));
  }
  return absl::OkStatus();
}

constexpr auto help =
    "The workload of a file server: files are registered by their hash and a new name, then stored, by one "
    "thread\n"
    "and by several; then all are read in order, and some at random by several threads. Registering and "
    "storing\n"
    "are timed apart. Stores: fs (a folder), gridfs (MongoDB), lo and bytea (large objects and rows of "
    "PostgreSQL).\n\n"
    "  wirebench files                                 all of them, on null servers\n"
    "  wirebench files --real pg --real mongo --duplicates 10\n"
    "  wirebench files fs --fsync --dir /srv/data\n"
    "  wirebench files gridfs --real mongodb://127.0.0.1:27017/ --files 1000 --bytes 10000000 \\\n"
    "    --threads 20 --per-thread 50 --repetitions 5";

CLI::Option* add_count(CLI::App& command, const char* flag, std::uint64_t& value, const char* help_text) {
  return command.add_option(flag, value, help_text)
      ->check(CLI::NonNegativeNumber)  // "-1" would wrap around
      ->type_name("N")
      ->capture_default_str();
}

void add_files_and_threads(CLI::App& command, bench::files_options& what) {
  add_count(command, "--files", what.files, "files that one thread stores, and reads in order");
  add_count(command, "--bytes", what.bytes, "of each file, at least 16");
  add_count(command, "--threads", what.threads, "connections to each store, a thread each; 1 to 100");
  add_count(command, "--per-thread", what.per_thread, "files that each of them stores, and reads at random");
  add_count(command, "--repetitions", what.repetitions, "of everything, each on an empty store");
  add_count(command, "--duplicates", what.duplicates,
            "per cent of the files whose content was registered before; 0 to 99");
  add_count(command, "--max-tries", what.max_tries, "of a file, after a time-out or a lost connection");
}

}  // namespace

void add_file_stores(CLI::App& command, files_command& options) {
  command
      .add_option("store", options.stores,
                  "fs, gridfs, lo, bytea; if none is named all, and with --real those that fit")
      ->check(CLI::IsMember(store_names()));
  command
      .add_option("--real", options.against,
                  "a real server in the place of a null server: `pg` (a temporary PostgreSQL), `mongo` "
                  "(SecantusDB)\nor a URI; may be given once per protocol")
      ->type_name("SERVER");
  command
      .add_option("--server-pid", options.server_pid,
                  "the process of a server named by URI, for its memory and CPU time")
      ->check(CLI::PositiveNumber)
      ->type_name("PID");
  command
      .add_option(
          "--chunk", options.chunk_bytes,
          fmt::format("bytes of a chunk, 1 to {}; else 261120 in gridfs, 262144 in lo", largest_chunk))
      ->check(CLI::Range(std::int64_t{1}, largest_chunk))
      ->type_name("N");
  command.add_flag("--fsync", options.durable, "fs: each file is on the disk before it counts");
  command.add_option("--dir", options.folder, "fs: where its folder is made; else $TMPDIR or /tmp")
      ->type_name("DIR");
}

int measure_files(const files_command& options) {
  return files_run(options).whole();
}

void add_files(CLI::App& program, const std::vector<std::string>& command_line, int& code) {
  auto options = std::make_shared<files_command>();
  options->command_line = command_line;
  auto* command = program.add_subcommand("files", help);
  add_file_stores(*command, *options);
  add_files_and_threads(*command, options->what);
  add_seed(*command, options->what.seed, "of contents, duplicates, random reads and the order of stores");
  add_timeout(*command, options->timeout_s);
  add_output(*command, options->output);
  command->callback([options, &code] { code = measure_files(*options); });
}

}  // namespace tools
