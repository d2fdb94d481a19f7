// wirebench suite gridfs-memory: `wirebench put` in a fresh process for every client and chunk size.

#include "bench/counting/subprocess.hpp"
#include "bench/counting/syscalls.hpp"
#include "bench/drivers/libmongoc.hpp"
#include "bench/environment.hpp"
#include "bench/suites/gridfs_memory.hpp"
#include "bench/suites/suite.hpp"
#include "bench/workloads/gridfs_writer.hpp"

#include "fixtures/datasets.hpp"
#include "fixtures/temp_dir.hpp"

#include "tools/exit_code.hpp"
#include "tools/options.hpp"
#include "tools/output.hpp"
#include "tools/peers.hpp"
#include "tools/progress.hpp"
#include "tools/result_file.hpp"
#include "tools/stop_flag.hpp"
#include "tools/suites.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>

namespace tools {
namespace {

using bench::counting::words;

constexpr char bucket[] = "suite_gm";
constexpr double default_scale = 0.1;

struct memory_command {
  bench::suites::gridfs_memory_options what;
  double scale = default_scale;
  std::uint64_t iterations = 3;
  bool sparse = false;
  bool calls = true;
  std::string against;
  double timeout_s = 10;
  output_options output;
  std::vector<std::string> command_line;  ///< for the context, which blanks its secrets
};

/// A file of its own to be stored: bytes that do not compress, or a hole.
absl::Status write_payload(const std::string& path, std::int64_t bytes, bool sparse, std::uint64_t seed) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool whole = fd >= 0;
  if (whole && sparse) whole = ::ftruncate(fd, bytes) == 0;
  fixtures::random_source random(seed);
  std::vector<std::uint8_t> block(1024 * 1024);
  for (auto left = sparse ? 0 : bytes; whole && left > 0;) {
    const auto size = std::min(static_cast<std::size_t>(left), block.size());
    random.fill(block.data(), size);
    whole = ::write(fd, block.data(), size) == static_cast<ssize_t>(size);
    left -= static_cast<std::int64_t>(size);
  }
  const int error = errno;
  if (fd >= 0) ::close(fd);
  if (whole) return absl::OkStatus();
  return absl::UnavailableError(fmt::format(
      "cannot write {}: {}; TMPDIR names another place, and --sparse takes a file that needs no room", path,
      std::strerror(error)));
}

class memory_run {
 public:
  explicit memory_run(const memory_command& options)
      : options_(options),
        bar_(options.output.quiet),
        program_(std::filesystem::read_symlink("/proc/self/exe")) {}

  int whole();

 private:
  absl::Status check() const;
  absl::Status start();
  void begin_result();
  absl::Status measure();
  absl::Status measure(const bench::cell& one);
  absl::Status drop_files() const;
  void count_calls(const bench::cell& one, std::span<bench::memory_row> rows) const;
  words put(const bench::cell& one, std::uint64_t iterations) const;
  words variables(bool probe) const;
  absl::Status finish();

  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(options_.timeout_s * 1000));
  }
  std::string saved() const { return folder_->path() + "/put.json"; }

  const memory_command& options_;
  const std::atomic<bool>& stop_ = stop_flag();
  progress_bar bar_;
  std::filesystem::path program_;
  std::unique_ptr<bench::peer> peer_;
  std::optional<fixtures::temp_dir> folder_;
  bench::result result_;
};

int memory_run::whole() {
  auto status = check();
  if (status.ok()) status = start();
  if (!status.ok()) return report(status);
  begin_result();
  status = measure();
  bar_.clear();
  status.Update(finish());
  return report(status, stop_);
}

absl::Status memory_run::check() const {
  if (auto status = bench::suites::check(options_.what); !status.ok()) return status;
  if (options_.against.empty()) return absl::OkStatus();
  const auto fits = speaks(options_.against, wire::protocol::mongo);
  if (!fits.ok()) return fits.status();
  return *fits ? absl::OkStatus()
               : absl::InvalidArgumentError("--real must be a MongoDB: `mongo` or a mongodb:// URI");
}

absl::Status memory_run::start() {
  auto peer = options_.against.empty()
                  ? start_null(wire::protocol::mongo, std::nullopt)
                  : start_real(options_.against, wire::protocol::mongo, std::nullopt, timeout());
  if (!peer.ok()) return peer.status();
  peer_ = *std::move(peer);
  auto folder = fixtures::temp_dir::make();
  if (!folder.ok()) return folder.status();
  folder_ = *std::move(folder);
  return write_payload(folder_->path() + "/payload", options_.what.file_bytes, options_.sparse,
                       options_.what.seed);
}

void memory_run::begin_result() {
  result_.context =
      bench::read_environment({{"libmongoc", bench::drivers::libmongoc_version()}}, options_.command_line);
  if (!options_.against.empty()) result_.context.emplace_back("real_server", peer_->name());
  result_.context.emplace_back("payload", options_.sparse ? "a sparse file" : "a file of random bytes");
  if (const char* const tunables = std::getenv("GLIBC_TUNABLES"))
    result_.context.emplace_back("glibc_tunables", tunables);
  bench::suites::mark(result_, bench::suites::gridfs_memory,
                      static_cast<double>(options_.what.file_bytes) /
                          static_cast<double>(bench::suites::gridfs_memory_bytes));
  result_.clock = bench::calibrate_clock();
  result_.warnings = bench::doubts(result_.context, result_.clock);
  result_.plan.seed = options_.what.seed;
  for (auto& what : bench::suites::plan_gridfs_memory(options_.what, peer_->name()))
    result_.cells.push_back({.what = std::move(what)});
}

absl::Status memory_run::measure() {
  const auto order = bench::suites::order_of(result_.cells.size(), options_.what.seed);
  for (std::size_t i = 0; i < order.size() && !stop_; ++i) {
    auto& one = result_.cells[order[i]];
    bar_.show(static_cast<double>(i) / static_cast<double>(order.size()), one.what.id);
    if (auto status = measure(one); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status memory_run::measure(const bench::cell& one) {
  auto process = bench::counting::subprocess::start(put(one, options_.iterations), variables(true));
  if (!process.ok()) return process.status();
  if (const auto text = process->wait(); !text.ok()) {
    return absl::Status(text.status().code(),
                        fmt::format("{}: {}", one.what.id, std::string(text.status().message())));
  }
  auto stored = load(saved());
  if (!stored.ok()) return stored.status();
  for (auto& row : stored->memory) row.cell = one.what.id;
  if (options_.calls && !stop_) count_calls(one, stored->memory);
  result_.memory.insert(result_.memory.end(), stored->memory.begin(), stored->memory.end());
  return drop_files();
}

/// The null server keeps none.
absl::Status memory_run::drop_files() const {
  const auto to = wire::parse_endpoint(peer_->tcp_uri());
  if (options_.against.empty() || !to.value) return absl::OkStatus();
  wire::watchdog dog(timeout());
  return bench::workloads::drop_bucket(bucket, *to.value, dog);
}

/// Of the first file and of one more: runs that store none, one and two, subtracted.
void memory_run::count_calls(const bench::cell& one, std::span<bench::memory_row> rows) const {
  auto before = bench::counting::count_syscalls(put(one, 0), variables(false));
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 2) && before.ok(); ++i) {
    auto after = bench::counting::count_syscalls(put(one, i + 1), variables(false));
    if (!after.ok()) return;
    rows[i].mmap_calls = (*after)["mmap"] - (*before)["mmap"];
    rows[i].brk_calls = (*after)["brk"] - (*before)["brk"];
    before = std::move(after);
  }
}

words memory_run::put(const bench::cell& one, std::uint64_t iterations) const {
  return {program_.string(),
          "put",
          *one.what.strategy,
          folder_->path() + "/payload",
          "--uri",
          peer_->tcp_uri(),
          "--bucket",
          bucket,
          "--chunk",
          fmt::format("{}", *one.what.chunk_bytes),
          "--iterations",
          fmt::format("{}", iterations),
          "--timeout",
          fmt::format("{}", options_.timeout_s),
          "-o",
          saved()};
}

words memory_run::variables(bool probe) const {
  words all;
  if (probe)
    all.push_back("LD_PRELOAD=" + (program_.parent_path() / "libwirebench_malloc_probe.so").string());
  return all;
}

absl::Status memory_run::finish() {
  if (result_.memory.empty()) return absl::OkStatus();
  return save_and_print(result_, bench::suites::gridfs_memory, options_.output,
                        bench::suites::report_gridfs_memory);
}

constexpr auto help =
    "Stores a file of random bytes in GridFS by every strategy of the raw client and by both APIs of "
    "libmongoc, three times in a\n"
    "process of its own for each chunk size, and says what memory that took. On a null server unless told "
    "otherwise.\n\n"
    "  wirebench suite gridfs-memory\n"
    "  wirebench suite gridfs-memory --scale 1 --real mongo\n"
    "  wirebench suite gridfs-memory --strategy libmongoc-legacy --chunks 255K,256K\n"
    "  wirebench suite gridfs-memory --strategy mmap --chunks 255K --file-size 10G --sparse --iterations 1\n"
    "  GLIBC_TUNABLES=glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=67108864 \\\n"
    "    wirebench suite gridfs-memory --strategy libmongoc-legacy        with a heap that keeps what is "
    "freed";

}  // namespace

void add_gridfs_memory(CLI::App& suites, const std::vector<std::string>& command_line, int& code) {
  auto options = std::make_shared<memory_command>();
  options->command_line = command_line;
  auto* command = suites.add_subcommand(bench::suites::gridfs_memory, help);
  auto* scale = add_scale(*command, options->scale);
  auto* size =
      add_size(*command, "--file-size", options->what.file_bytes, "bytes of the file, in place of --scale");
  size->default_str("a part of 357 MB")->excludes(scale);
  add_sizes(*command, "--chunks", options->what.chunk_bytes, "chunk sizes, separated by commas")
      ->default_str("255K,256K,1M");
  command
      ->add_option("--strategy", options->what.clients,
                   "clients, separated by commas: sending strategies of the raw client, libmongoc, "
                   "libmongoc-legacy; all if not\n"
                   "given")
      ->delimiter(',')
      ->check(CLI::IsMember(bench::suites::gridfs_memory_clients()))
      ->type_name("CLIENT");
  command->add_option("--iterations", options->iterations, "files that each process stores")
      ->check(CLI::Range(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--sparse", options->sparse,
                    "a sparse file, which needs no room on the disk, in place of random bytes");
  command->add_flag("!--no-calls", options->calls,
                    "do not count mmap calls, which takes three more runs of each row");
  command
      ->add_option("--real", options->against,
                   "`mongo` (SecantusDB) or a mongodb:// URI instead of the null server")
      ->type_name("SERVER");
  add_seed(*command, options->what.seed, "of the order and of the bytes");
  add_timeout(*command, options->timeout_s);
  add_output(*command, options->output);
  command->callback([options, size, &code] {
    using namespace bench::suites;
    if (options->what.clients.empty()) options->what.clients = gridfs_memory_clients();
    if (size->count() == 0)
      options->what.file_bytes = static_cast<std::int64_t>(scaled(gridfs_memory_bytes, options->scale));
    code = memory_run(*options).whole();
  });
}

}  // namespace tools
