// wirebench put: one file stored in GridFS by one client, N times, and what memory that took.

#include "bench/counting/memory_watch.hpp"
#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libmongoc_writer.hpp"
#include "bench/environment.hpp"
#include "bench/suites/gridfs_memory.hpp"
#include "bench/suites/suite.hpp"

#include "tools/commands.hpp"
#include "tools/exit_code.hpp"
#include "tools/options.hpp"
#include "tools/output.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <memory>

namespace tools {
namespace {

struct put_options {
  std::string client;
  std::string uri;
  std::uint64_t iterations = 1;
  double timeout_s = 10;
  bench::workloads::gridfs_file file{.path = {}, .bucket = "put", .chunk_bytes = 255 * 1024};
  output_options output;
  std::vector<std::string> command_line;  ///< for the context, which blanks its secrets
};

bench::workloads::opened_gridfs_writer open(const put_options& options, wire::watchdog& dog) {
  using bench::drivers::gridfs_api;
  if (options.client == bench::suites::libmongoc_bucket)
    return bench::drivers::open_libmongoc_writer(gridfs_api::bucket, options.file, options.uri,
                                                 dog.timeout());
  if (options.client == bench::suites::libmongoc_legacy)
    return bench::drivers::open_libmongoc_writer(gridfs_api::legacy, options.file, options.uri,
                                                 dog.timeout());
  const auto to = wire::parse_endpoint(options.uri);
  if (!to.value) return absl::InvalidArgumentError(to.problem);
  if (to.value->protocol != wire::protocol::mongo)
    return absl::InvalidArgumentError("GridFS is MongoDB's: --uri takes a mongodb:// URI");
  return bench::workloads::open_gridfs_writer(options.client, options.file, *to.value, dog);
}

bench::memory_row row_of(const bench::labels& what, std::uint64_t iteration,
                         const bench::workloads::stored_file& stored,
                         const bench::counting::memory_use& use) {
  bench::memory_row row{.cell = what.id,
                        .iteration = iteration,
                        .file_id = stored.id,
                        .file_bytes = stored.bytes,
                        .live_heap_peak_bytes = {},
                        .allocations = {},
                        .rss_peak_bytes = use.rss_peak_bytes,
                        .anon_peak_bytes = use.anon_peak_bytes,
                        .minor_faults = use.minor_faults};
  if (use.heap) {
    row.live_heap_peak_bytes = use.heap->live_peak_bytes;
    row.allocations = use.heap->allocations;
  }
  return row;
}

absl::Status store(const put_options& options, const bench::labels& what, bench::result& to) {
  wire::watchdog dog(std::chrono::milliseconds(static_cast<std::int64_t>(options.timeout_s * 1000)));
  auto writer = open(options, dog);
  if (!writer.ok()) return writer.status();
  bench::counting::memory_watch watch;
  to.memory.reserve(options.iterations);
  for (std::uint64_t i = 0; i < options.iterations; ++i) {
    watch.begin();
    const auto stored = (*writer)->store();
    const auto use = watch.end();
    if (!stored.ok()) return stored.status();
    to.memory.push_back(row_of(what, i, *stored, use));
  }
  return absl::OkStatus();
}

absl::Status put(const put_options& options) {
  struct stat about {};
  if (::stat(options.file.path.c_str(), &about) != 0 || !S_ISREG(about.st_mode))
    return absl::InvalidArgumentError(fmt::format("{} is no file that can be read", options.file.path));
  const bench::suites::gridfs_memory_options plan{
      .clients = {options.client}, .chunk_bytes = {options.file.chunk_bytes}, .file_bytes = about.st_size};
  if (auto status = bench::suites::check(plan); !status.ok()) return status;
  bench::result result;
  result.context =
      bench::read_environment({{"libmongoc", bench::drivers::libmongoc_version()}}, options.command_line);
  bench::suites::mark(
      result, bench::suites::gridfs_memory,
      static_cast<double>(about.st_size) / static_cast<double>(bench::suites::gridfs_memory_bytes));
  result.cells.push_back({.what = bench::suites::plan_gridfs_memory(plan, "null").front()});
  auto status = store(options, result.cells.front().what, result);
  if (!status.ok() && result.memory.empty()) return status;
  status.Update(save_and_print(result, "put", options.output, bench::suites::report_gridfs_memory));
  return status;
}

}  // namespace

void add_put(CLI::App& program, const std::vector<std::string>& command_line, int& code) {
  auto options = std::make_shared<put_options>();
  options->command_line = command_line;
  auto* command = program.add_subcommand("put",
                                         "Stores one file in GridFS by one client, N times, and says what "
                                         "memory that took: what `suite gridfs-memory` runs in a\n"
                                         "fresh process for each of its rows. The live heap is known where "
                                         "the malloc probe is loaded. The files stay.\n\n"
                                         "  LD_PRELOAD=build/tools/libwirebench_malloc_probe.so \\\n"
                                         "    build/tools/wirebench put libmongoc-legacy film.mkv --uri "
                                         "mongodb://127.0.0.1:27017/ --chunk 256K");
  command
      ->add_option("client", options->client,
                   "a sending strategy of the raw client, libmongoc (bucket API) or libmongoc-legacy")
      ->required()
      ->check(CLI::IsMember(bench::suites::gridfs_memory_clients()));
  command->add_option("file", options->file.path, "the file")->required();
  command->add_option("--uri", options->uri, "the server")->required()->type_name("URI");
  command->add_option("--bucket", options->file.bucket, "of the database wirebench")->capture_default_str();
  add_size(*command, "--chunk", options->file.chunk_bytes, "chunk size")->default_str("255K");
  command->add_option("--iterations", options->iterations, "how often; 0: it connects, and no more")
      ->check(CLI::Range(0, 1000))
      ->type_name("N")
      ->capture_default_str();
  add_timeout(*command, options->timeout_s);
  add_output(*command, options->output);
  command->callback([options, &code] { code = report(put(*options)); });
}

}  // namespace tools
